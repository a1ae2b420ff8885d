package dev.standpipe;

import dev.standpipe.internal.define.AwaitDraft;
import java.time.Duration;
import java.util.function.Function;

/**
 * A node whose value is a signal's, made by {@link Node#await}. The run waits for {@link
 * Standpipe#signal} without holding a thread, for ever unless {@link #within} says how long.
 *
 * @param <S> the type of the value before it
 * @param <T> the type of the signal's value
 */
public final class Await<S, T> extends Node<T> {
  private final AwaitDraft await;

  Await(AwaitDraft await) {
    super(await.node());
    this.await = await;
  }

  /**
   * Waits no longer than this, by the database's clock, from the moment the run began to wait. What
   * happens then is said next; {@link Within#orHalt()} if nothing is.
   */
  public Within<S, T> within(Duration longest) {
    await.within(longest);
    return new Within<>(await);
  }

  /**
   * What happens when an await expires.
   *
   * @param <S> the type of the value before the await
   * @param <T> the type of the signal's value
   */
  public static final class Within<S, T> {
    private final AwaitDraft await;

    Within(AwaitDraft await) {
      this.await = await;
    }

    /** Goes on with this value in the signal's place. */
    public Node<T> orElse(T value) {
      await.orElse(value);
      return new Node<>(await.node());
    }

    /**
     * Takes another way, wired from the node before the await: its end is the value in the signal's
     * place. Its nodes are skipped if the signal comes in time.
     */
    public Node<T> otherwise(Function<Node<S>, Node<T>> wiring) {
      return new Node<>(await.divert(Node.wiring(wiring)));
    }

    /** Halts the run with {@link HaltReason#SIGNAL_EXPIRED}. */
    public Node<T> orHalt() {
      return new Node<>(await.node());
    }
  }
}
