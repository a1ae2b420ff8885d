package dev.standpipe.internal.engine.substep;

import dev.standpipe.internal.substep.StoredSubSteps.TryWrite;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Something that a try writes before it ends, on its way to a committer.
 *
 * @param owner the process that holds the try's task
 * @param write what
 * @param reply whether it is written; or why the database refuses it from any holder of the task
 */
public record PendingWrite(UUID owner, TryWrite write, CompletableFuture<Boolean> reply) {}
