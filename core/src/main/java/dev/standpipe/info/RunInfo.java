package dev.standpipe.info;

import dev.standpipe.HaltReason;
import dev.standpipe.RunStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A run as the database knows it at one moment.
 *
 * @param id its id
 * @param pipeline the name of its pipeline
 * @param status where it is
 * @param key the key it was started with
 * @param priority its priority
 * @param labels its labels
 * @param haltReason why it was halted
 * @param haltNode the step that halted it, or that ended it early; of a failed run, the first that
 *     failed
 * @param cancellation who canceled it, and why
 * @param rerunOf the run it was started like
 * @param reruns the runs that were started like it, oldest first
 * @param links the runs it waits for, and those that follow it
 * @param createdAt when it was started, by the database's clock
 * @param finishedAt when it ended, by the database's clock
 */
public record RunInfo(
    UUID id,
    String pipeline,
    RunStatus status,
    Optional<String> key,
    int priority,
    Map<String, String> labels,
    Optional<HaltReason> haltReason,
    Optional<String> haltNode,
    Optional<Cancellation> cancellation,
    Optional<UUID> rerunOf,
    List<UUID> reruns,
    RunLinks links,
    Instant createdAt,
    Optional<Instant> finishedAt) {}
