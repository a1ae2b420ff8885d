package dev.standpipe;

import dev.standpipe.internal.define.AwaitDraft;
import java.time.Duration;
import java.util.function.Function;

/**
 * A signal for each element of an expand, made by {@link Each#await}. Each element waits for its
 * own, named by the element's index; for ever unless {@link #within} says how long.
 *
 * @param <S> the type of the value before it
 * @param <T> the type of a signal's value
 */
public final class EachAwait<S, T> extends Each<T> {
  private final AwaitDraft await;

  EachAwait(AwaitDraft await) {
    super(await.node());
    this.await = await;
  }

  /** Each waits no longer than this; {@link EachWithin#orHalt()} if nothing else is said. */
  public EachWithin<S, T> within(Duration longest) {
    await.within(longest);
    return new EachWithin<>(await);
  }

  /**
   * What happens when an element's await expires.
   *
   * @param <S> the type of the value before the await
   * @param <T> the type of a signal's value
   */
  public static final class EachWithin<S, T> {
    private final AwaitDraft await;

    EachWithin(AwaitDraft await) {
      this.await = await;
    }

    /** The element goes on with this value in its signal's place. */
    public Each<T> orElse(T value) {
      await.orElse(value);
      return new Each<>(await.node());
    }

    /**
     * The element takes another way, wired from the value before the await: its end is the value in
     * the signal's place. Its nodes are skipped for elements whose signal comes in time.
     */
    public Each<T> otherwise(Function<Each<S>, Each<T>> wiring) {
      return new Each<>(await.divert(Each.wiring(wiring)));
    }

    /** Halts the run with {@link HaltReason#SIGNAL_EXPIRED}. */
    public Each<T> orHalt() {
      return new Each<>(await.node());
    }
  }
}
