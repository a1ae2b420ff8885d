package dev.standpipe;

import dev.standpipe.definition.Arm;
import dev.standpipe.definition.Strategy;
import dev.standpipe.internal.define.DivertDraft;
import java.time.Duration;
import java.util.function.Function;

/**
 * A choice between arms, made by {@link Node#divert}. Each arm is wired by a function of the node
 * that was diverted, and everything wired in it belongs to the arm: it is skipped unless the arm is
 * taken. A function that returns its argument makes an empty arm.
 *
 * @param <T> the type of the value that is diverted
 */
public final class Divert<T> {
  private final DivertDraft divert;

  Divert(DivertDraft divert) {
    this.divert = divert;
  }

  /** Wires the first arm, which says what type the arms end with, unless the converge does. */
  public <R> Arms<T, R> on(String arm, Function<Node<T>, Node<R>> wiring) {
    return new Arms<T, R>(divert).on(arm, wiring);
  }

  /** Says what happens when the selector throws; {@link Retry#standard()} by default. */
  public Divert<T> retry(Retry retry) {
    divert.options().retry(retry);
    return this;
  }

  /** Interrupts and fails a selector that runs longer; it counts as a failed attempt. */
  public Divert<T> timeout(Duration timeout) {
    divert.options().timeout(timeout);
    return this;
  }

  /**
   * Says what it means for the run that the selector has failed for good, instead of what {@link
   * Flow#strategy} says for the pipeline. It cannot be {@link Strategy#IGNORE}: without a choice
   * nothing that depends on it can go on; where the pipeline says so, a divert continues.
   */
  public Divert<T> strategy(Strategy strategy) {
    divert.options().strategy(strategy);
    return this;
  }

  /**
   * The arms of a divert: any number, an {@link #otherwise}, and {@link #converge()} to go on.
   *
   * @param <T> the type of the value that is diverted
   * @param <R> the type the first arm ends with
   */
  public static final class Arms<T, R> {
    private final DivertDraft divert;

    Arms(DivertDraft divert) {
      this.divert = divert;
    }

    /** Wires the arm that is taken when the selector returns this name. */
    public <S> Arms<T, R> on(String arm, Function<Node<T>, Node<S>> wiring) {
      divert.wire(arm, Node.wiring(wiring));
      return this;
    }

    /** Wires the arm that is taken when the selector returns any other name, or null. */
    public <S> Arms<T, R> otherwise(Function<Node<T>, Node<S>> wiring) {
      return on(Arm.OTHERWISE, wiring);
    }

    /**
     * Goes without {@link #otherwise}: any other name, or null, halts the run with {@link
     * HaltReason#UNMATCHED_DIVERT}.
     */
    public Arms<T, R> orHalt() {
      divert.halts();
      return this;
    }

    /**
     * Brings the arms together: a node, with the divert's key and {@code :converge} as its own,
     * whose value is that of the arm taken. All arms must end with the same type.
     */
    public Node<R> converge() {
      return new Node<>(divert.converge(null));
    }

    /**
     * Brings arms together that end with different types, as circles and squares are: values are
     * read as this one, of which all of them are.
     */
    public <C> Node<C> converge(Class<C> type) {
      return converge(TypeToken.of(type));
    }

    /** Brings arms together that end with different types: values are read as this generic one. */
    public <C> Node<C> converge(TypeToken<C> type) {
      return new Node<>(divert.converge(type));
    }
  }
}
