package dev.standpipe.info;

/**
 * An error as it is stored: text only, never a class to load.
 *
 * @param type the name of the exception's class, for people
 * @param message its message
 * @param trace its stack trace, shortened
 */
public record StepError(String type, String message, String trace) {}
