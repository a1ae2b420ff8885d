package dev.standpipe;

import dev.standpipe.definition.NodeKind;
import java.time.Duration;
import java.time.Instant;
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
 * @param crashLimit how many processes may die with it before it is quarantined, if it has a limit
 *     of its own
 * @param waiting how long it waits before its body runs for the first time
 * @param body its body
 */
public record StepDefinition(
    String key,
    NodeKind kind,
    TypeToken<?> type,
    Retry retry,
    Optional<Duration> timeout,
    OptionalInt crashLimit,
    Optional<Wait> waiting,
    Body body) {

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
}
