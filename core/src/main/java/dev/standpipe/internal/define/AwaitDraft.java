package dev.standpipe.internal.define;

import dev.standpipe.TypeToken;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.error.SignalExpiredException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An await while its pipeline is being defined. Not thread-safe. */
public final class AwaitDraft {
  private static final String SIGNALED = "signaled";
  private static final String EXPIRED = "expired";

  private final NodeDraft node;
  private boolean halts = true;
  private @Nullable Object otherwise;

  /** Adds an await that follows a node. */
  public AwaitDraft(NodeDraft source, String key, TypeToken<?> type) {
    this.node =
        source.flow.add(
            key,
            NodeKind.AWAIT,
            type,
            List.of(source),
            (inputs, ctx) -> inputs.isEmpty() ? expired() : inputs.get(0));
  }

  /** The node whose value is the signal's. */
  public NodeDraft node() {
    return node;
  }

  /** Says how long it waits. */
  public void within(Duration longest) {
    node.options().within(longest);
  }

  /** Makes this its value when it expires. */
  public void orElse(@Nullable Object value) {
    node.flow.requireOpen();
    this.halts = false;
    this.otherwise = value;
  }

  /**
   * Wires another way for when it expires, from the node before it, and returns the node that
   * brings both ways together. No signal is null, so an await whose value is null has expired: a
   * divert tells the two apart.
   */
  public NodeDraft divert(FlowDraft.Wiring wiring) {
    orElse(null);
    DivertDraft divert =
        new DivertDraft(
            node, node.key + ":within", (value, ctx) -> value == null ? EXPIRED : SIGNALED);
    divert.halts();
    divert.wire(SIGNALED, signal -> signal);
    divert.wire(EXPIRED, signal -> wiring.from(node.inputs.get(0)));
    return divert.converge(node.type);
  }

  private @Nullable Object expired() {
    if (halts) {
      throw new SignalExpiredException(node.key, node.options().longestWait());
    }
    return otherwise;
  }
}
