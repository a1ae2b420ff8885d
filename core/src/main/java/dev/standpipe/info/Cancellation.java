package dev.standpipe.info;

/**
 * Who canceled a run, and why.
 *
 * @param by who
 * @param reason why
 */
public record Cancellation(String by, String reason) {}
