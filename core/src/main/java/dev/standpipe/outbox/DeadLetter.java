package dev.standpipe.outbox;

import java.time.Instant;

/**
 * An event that a sink has refused for too often.
 *
 * @param event the event
 * @param tries how often it failed
 * @param error why it failed last
 * @param diedAt when it was given up
 */
public record DeadLetter(OutboxEvent event, int tries, String error, Instant diedAt) {}
