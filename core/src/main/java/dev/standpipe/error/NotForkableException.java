package dev.standpipe.error;

import java.util.Collection;
import java.util.UUID;
import java.util.stream.Collectors;

/** The run cannot be forked at this node, or not so. Nothing was changed. */
public final class NotForkableException extends StandpipeException {
  private static final long serialVersionUID = 1L;
  private static final int MOST_NAMES = 20;

  private NotForkableException(String message) {
    super(ErrorCode.NOT_FORKABLE, message);
  }

  /** It has no such node. */
  public static NotForkableException noNode(UUID run, String node, Collection<String> nodes) {
    return new NotForkableException(
        "Run %s has no node \"%s\" to be forked at: its nodes are %s"
            .formatted(run, node, names(nodes)));
  }

  /** The steps before the node have not finished. */
  public static NotForkableException unfinished(
      UUID run, String node, Collection<String> unfinished) {
    return new NotForkableException(
        "Run %s cannot be forked at node \"%s\" yet: what comes before it has not finished: %s. Wait for it, or fork at one of those."
            .formatted(run, node, names(unfinished)));
  }

  /** The node does not get the values that were edited. */
  public static NotForkableException otherInputs(UUID run, String node, Collection<String> inputs) {
    return new NotForkableException(
        "Run %s cannot be forked at node \"%s\" with such an input: it gets the values of %s. Edit those, one by one if there are several."
            .formatted(run, node, names(inputs)));
  }

  /** The node gets a value for each element. */
  public static NotForkableException elements(UUID run, String node) {
    return new NotForkableException(
        "Run %s cannot be forked at node \"%s\" with an edited input: it gets a value for each element of an expand. Fork at the expand, or leave the input as it is."
            .formatted(run, node));
  }

  /** The node is on a way that the run did not take. */
  public static NotForkableException skipped(UUID run, String node) {
    return new NotForkableException(
        "Run %s cannot be forked at node \"%s\": it was skipped there. Fork at the divert or the await before it."
            .formatted(run, node));
  }

  /** A value to be edited belongs to a step that was skipped. */
  public static NotForkableException noValue(UUID run, String node, String input) {
    return new NotForkableException(
        "Run %s cannot be forked at node \"%s\" with an edited value of \"%s\": that was skipped, and has none. Edit the others."
            .formatted(run, node, input));
  }

  /** It waits for others, or was skipped because of them. */
  public static NotForkableException neverBegun(UUID run, String node) {
    return new NotForkableException(
        "Run %s cannot be forked at node \"%s\": it has not begun, and has no input. Start another run."
            .formatted(run, node));
  }

  /** The steps of the run are undone, or being undone. */
  public static NotForkableException compensated(UUID run, String node) {
    return new NotForkableException(
        "Run %s cannot be forked at node \"%s\": what it had done before is compensated. Rerun it."
            .formatted(run, node));
  }

  private static String names(Collection<String> nodes) {
    String some = nodes.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
    int more = nodes.size() - MOST_NAMES;
    return more > 0 ? some + " and " + more + " more" : some;
  }
}
