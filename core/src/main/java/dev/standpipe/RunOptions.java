package dev.standpipe;

import dev.standpipe.error.DuplicateKeyException;
import dev.standpipe.internal.ChosenOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How a run is started. Immutable; each method returns a changed copy.
 *
 * <pre>{@code RunOptions.key("order-17").priority(5).label("customer", "acme")}</pre>
 *
 * <p>An interface so that {@link #key(String)}, which begins anew, cannot be called on options that
 * are there already: {@code RunOptions.none().priority(5).key("x")} does not compile. Use {@link
 * #withKey} there.
 */
public sealed interface RunOptions permits ChosenOptions {
  /** No key, priority 0, no labels, no delay, no deadline. */
  static RunOptions none() {
    return ChosenOptions.NONE;
  }

  /** Options with nothing but a key; see {@link #withKey}. */
  static RunOptions key(String key) {
    return none().withKey(key);
  }

  /**
   * Makes the start idempotent: a second start of the same pipeline with this key returns the first
   * run if its input is the same and throws {@link DuplicateKeyException} if it is not.
   */
  RunOptions withKey(String key);

  /** Higher runs sooner, from −1000 to 1000; the default is 0. */
  RunOptions priority(int priority);

  /** Adds a label, to find the run by. */
  RunOptions label(String name, String value);

  /** Starts the first steps only after this time, by the database's clock. */
  RunOptions delay(Duration delay);

  /**
   * Halts the run if it has not ended within this time from its start, a delay included, by the
   * database's clock: {@link HaltReason#DEADLINE}. Bodies that are running are interrupted and
   * cannot commit any more. A start under a key that a run has already leaves that run's deadline
   * as it is.
   */
  RunOptions deadline(Duration time);

  /** The key, if one was given. */
  Optional<String> key();

  /** The priority. */
  int priority();

  /** The labels. */
  Map<String, String> labels();

  /** The delay before the first steps. */
  Duration delay();

  /** How long the run may take, if there is a limit. */
  Optional<Duration> deadline();
}
