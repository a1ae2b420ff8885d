package dev.standpipe.info;

import java.time.Instant;

/**
 * What the body of a step has reported of its work.
 *
 * @param done how much is done
 * @param total how much there is to do
 * @param note what the body says of it; may be empty
 * @param lastProgressAt when the report reached the database, by its clock
 */
public record StepProgress(long done, long total, String note, Instant lastProgressAt) {}
