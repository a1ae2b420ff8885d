package dev.standpipe;

import dev.standpipe.definition.NodeKind;
import java.time.Duration;
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
 * @param crashLimit how many processes may die with it before it is quarantined, if it has a limit
 *     of its own
 * @param body its body
 */
public record StepDefinition(
    String key,
    NodeKind kind,
    TypeToken<?> type,
    Retry retry,
    Optional<Duration> timeout,
    OptionalInt crashLimit,
    Body body) {

  /** A body with its inputs untyped. */
  @FunctionalInterface
  public interface Body {
    /** Runs the body on the values of the node's inputs, in order. */
    @Nullable Object run(List<@Nullable Object> inputs, StepContext ctx) throws Exception;
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
