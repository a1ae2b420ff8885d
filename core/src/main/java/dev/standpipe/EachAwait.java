package dev.standpipe;

import java.time.Duration;

/**
 * A signal for each element of an expand, made by {@link Each#await}. Each element waits for its
 * own, named by the element's index; for ever unless {@link #within} says how long.
 *
 * @param <T> the type of a signal's value
 */
public final class EachAwait<T> extends Each<T> {
  private final AwaitDraft await;

  EachAwait(AwaitDraft await) {
    super(await.draft);
    this.await = await;
  }

  /** Each waits no longer than this; {@link Within#orHalt()} if nothing else is said. */
  public Within<T> within(Duration longest) {
    await.within(longest);
    return new Within<>(await);
  }

  /**
   * What happens when an element's await expires.
   *
   * @param <T> the type of a signal's value
   */
  public static final class Within<T> {
    private final AwaitDraft await;

    Within(AwaitDraft await) {
      this.await = await;
    }

    /** The element goes on with this value in its signal's place. */
    public Each<T> orElse(T value) {
      await.otherwise(value);
      return new Each<>(await.draft);
    }

    /** Halts the run with {@link HaltReason#SIGNAL_EXPIRED}. */
    public Each<T> orHalt() {
      return new Each<>(await.draft);
    }
  }
}
