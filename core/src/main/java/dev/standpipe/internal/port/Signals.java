package dev.standpipe.internal.port;

import dev.standpipe.info.StepId;
import dev.standpipe.internal.port.Quarantines.Audited;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The {@code signal} table: what awaits have got. An await's row is there from the moment it begins
 * to wait, or from its signal on if that comes first; the signal and the expiry both need the row,
 * and the first to have it decides.
 */
public interface Signals {
  /**
   * What there is for an await that has begun to wait, or was signaled.
   *
   * @param value the signal's encoded value, or {@code null} if there was none yet
   * @param expired whether there will be none
   */
  record AwaitedSignal(@Nullable String value, boolean expired) {}

  /**
   * A signal.
   *
   * @param step the await it is for
   * @param value its encoded value
   * @param dedupeKey what tells it from another
   */
  record Given(StepId step, String value, String dedupeKey) {}

  /**
   * What a person says with a signal, for the audit.
   *
   * @param action what they do
   * @param audited who they are, and why they do it
   */
  record Act(String action, Audited audited) {}

  /** What became of a signal. */
  enum SignalAnswer {
    /** The signal is kept, and the step that waits for it is awake. */
    NOW,
    /** This very signal was taken before. */
    BEFORE,
    /** There is another. */
    OTHER,
    /** The await has expired. */
    EXPIRED,
    /** The await was skipped. */
    SKIPPED,
    /** The run does not go on, or there is none. */
    NOT_RUNNING
  }

  /** What there is for an await; empty if it has not begun to wait. */
  Optional<AwaitedSignal> find(UUID run, String node, int index);

  /** Lets an await expire that has begun to wait, unless it was signaled; says what it has got. */
  AwaitedSignal expire(UUID run, String node, int index);

  /** Gives an await its signal and, if it waits, wakes it. */
  SignalAnswer give(Given signal, Optional<Act> act);
}
