package dev.standpipe.operate;

import dev.standpipe.info.StepId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A step that is in quarantine because the processes that ran it kept dying.
 *
 * @param step which step
 * @param pipeline the name of its pipeline
 * @param crashes how many processes died holding it, since it last made progress
 * @param attempt the attempt that was under way
 * @param token the fencing token of its last try; tells this quarantine from a later one
 * @param processes the processes that died, the last first, as far as the ledger goes back and ten
 *     at most
 * @param quarantinedAt when it was quarantined, by the database's clock
 */
public record QuarantinedStep(
    StepId step,
    String pipeline,
    int crashes,
    int attempt,
    long token,
    List<UUID> processes,
    Instant quarantinedAt) {}
