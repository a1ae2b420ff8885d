package dev.standpipe;

import dev.standpipe.definition.Arm;
import dev.standpipe.internal.define.DivertDraft;
import java.time.Duration;
import java.util.function.Function;

/**
 * A choice between arms for each element of an expand, made by {@link Each#divert}. Each arm is
 * wired by a function of the {@code Each} that was diverted, and everything wired in it belongs to
 * the arm: it is skipped for the elements that do not take it. A function that returns its argument
 * makes an empty arm.
 *
 * @param <T> the type of the value that is diverted
 */
public final class EachDivert<T> {
  private final DivertDraft divert;

  EachDivert(DivertDraft divert) {
    this.divert = divert;
  }

  /** Wires the first arm, which says what type the arms end with, unless the converge does. */
  public <R> EachArms<T, R> on(String arm, Function<Each<T>, Each<R>> wiring) {
    return new EachArms<T, R>(divert).on(arm, wiring);
  }

  /** Says what happens when the selector throws, for each element on its own. */
  public EachDivert<T> retry(Retry retry) {
    divert.options().retry(retry);
    return this;
  }

  /** Interrupts and fails a selector that runs longer; it counts as a failed attempt. */
  public EachDivert<T> timeout(Duration timeout) {
    divert.options().timeout(timeout);
    return this;
  }

  /**
   * The arms of a divert for each element: any number, an {@link #otherwise}, and {@link
   * #converge()} to go on.
   *
   * @param <T> the type of the value that is diverted
   * @param <R> the type the first arm ends with
   */
  public static final class EachArms<T, R> {
    private final DivertDraft divert;

    EachArms(DivertDraft divert) {
      this.divert = divert;
    }

    /** Wires the arm that elements take for which the selector returns this name. */
    public <S> EachArms<T, R> on(String arm, Function<Each<T>, Each<S>> wiring) {
      divert.wire(arm, Each.wiring(wiring));
      return this;
    }

    /** Wires the arm that elements take for which it returns any other name, or null. */
    public <S> EachArms<T, R> otherwise(Function<Each<T>, Each<S>> wiring) {
      return on(Arm.OTHERWISE, wiring);
    }

    /**
     * Goes without {@link #otherwise}: any other name, or null, halts the run with {@link
     * HaltReason#UNMATCHED_DIVERT}.
     */
    public EachArms<T, R> orHalt() {
      divert.halts();
      return this;
    }

    /**
     * Brings the arms together for each element on its own: a node, with the divert's key and
     * {@code :converge} as its own, whose value is that of the arm the element has taken. All arms
     * must end with the same type.
     */
    public Each<R> converge() {
      return new Each<>(divert.converge(null));
    }

    /**
     * Brings arms together that end with different types, as circles and squares are: values are
     * read as this one, of which all of them are.
     */
    public <C> Each<C> converge(Class<C> type) {
      return converge(TypeToken.of(type));
    }

    /** Brings arms together that end with different types: values are read as this generic one. */
    public <C> Each<C> converge(TypeToken<C> type) {
      return new Each<>(divert.converge(type));
    }
  }
}
