package dev.standpipe;

import dev.standpipe.definition.NodeKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A node with its code, as a process serves it.
 *
 * @param key the node's key
 * @param kind what the node does
 * @param type the type of its value; of one element for an expand
 * @param retry what happens when its body throws
 * @param timeout how long its body may run
 * @param stallTimeout how long its body may go without progress
 * @param within how long it waits, if it is an await that does not wait for ever; its body gets the
 *     signal's value, or nothing if it expired
 * @param calls the pipeline it calls, if it is a call
 * @param crashLimit how many processes may die with it before it is quarantined, if it has a limit
 *     of its own
 * @param waiting how long it waits before its body runs for the first time
 * @param turns what bounds it, if it is a loop; its body returns a {@link Loop} then
 * @param body its body
 */
public record StepDefinition(
    String key,
    NodeKind kind,
    TypeToken<?> type,
    Retry retry,
    Optional<Duration> timeout,
    Optional<Duration> stallTimeout,
    Optional<Duration> within,
    Optional<Pipeline<?, ?>> calls,
    OptionalInt crashLimit,
    Optional<Wait> waiting,
    Optional<Turns> turns,
    Body body) {

  /**
   * What bounds a loop.
   *
   * @param limit how many turns it may take
   * @param keep how many of the last turns stay visible
   */
  public record Turns(int limit, int keep) {}

  /** How long a step waits, once everything it depends on has ended. */
  @FunctionalInterface
  public interface Wait {
    /** The time from now, by the database's clock; none if it is zero or negative. */
    Duration from(Instant now, List<@Nullable Object> inputs) throws Exception;
  }

  /** A body with its inputs untyped. */
  @FunctionalInterface
  public interface Body {
    /** Runs the body on the values of the node's inputs, in order. */
    @Nullable Object run(List<@Nullable Object> inputs, StepContext ctx) throws Exception;
  }

  /** A body that writes in the transaction that its step is settled in. */
  @FunctionalInterface
  public interface JoiningBody extends Body {}

  /** Whether its body writes in the transaction that the step is settled in. */
  public boolean isTransactional() {
    return body instanceof JoiningBody;
  }

  /** What the body of an expand returns whose elements come one after the other. */
  public interface Elements {
    /** The elements from this position on; called once. */
    @Nullable Iterator<?> from(int position) throws Exception;

    /** Lets go of what they are read from. */
    void close() throws Exception;

    /** How many of its elements' steps may be live at once. */
    default int window() {
      return Integer.MAX_VALUE;
    }
  }
}
