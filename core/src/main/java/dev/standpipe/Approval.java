package dev.standpipe;

/**
 * What a person has decided: the value of {@link Node#approval}.
 *
 * @param approved whether they approved; if not, they rejected
 * @param by who they are
 * @param comment what they said about it
 */
public record Approval(boolean approved, String by, String comment) {}
