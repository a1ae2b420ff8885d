package dev.standpipe.internal.port;

import dev.standpipe.info.StepId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * The {@code called} table: runs that steps of others have called. The end of a called run wakes
 * the step that waits for it, in the transaction that {@link RunEnds#follow follows it up}.
 */
public interface Calls {
  /**
   * A run that a step has called.
   *
   * @param run its id
   * @param nth which of the step's calls it is, from 1
   * @param spent the try of the step that failed because this run did; 0 if the caller was revived
   *     since
   */
  record Called(UUID run, int nth, OptionalInt spent) {}

  /** The last run that a step has called; what woke the step is taken as heard. */
  Optional<Called> listen(StepId caller);

  /**
   * Starts a run for a step, unless it has called that one already.
   *
   * @return the last run the step has called; empty, with nothing written, if the caller's run does
   *     not go on
   */
  Optional<Called> call(StepId caller, int nth, RunEnds.RunToStart start);

  /** Notes that a try of the calling step fails because the called run did. */
  void spend(UUID run, int attempt);

  /** The runs that a run has called, of each step the last. */
  List<UUID> children(UUID run);
}
