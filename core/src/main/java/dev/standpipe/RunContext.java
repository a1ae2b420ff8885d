package dev.standpipe;

import dev.standpipe.error.ContextKeyTakenException;
import dev.standpipe.error.InvalidValueException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Values that the steps of one run share by name, besides the values that go along its edges. What
 * a body sets is committed with its step, all of it or nothing, and visible to whatever starts
 * after that; the body itself sees it at once.
 */
public interface RunContext {
  /**
   * The value of a key, if a step that has finished, or this body, has set it.
   *
   * @throws InvalidValueException if it is not of this type
   */
  <T> Optional<T> get(String key, Class<T> type);

  /** The value of a key with a generic type. */
  <T> Optional<T> get(String key, TypeToken<T> type);

  /**
   * Sets a key once and for all. Setting the same value again changes nothing.
   *
   * @throws ContextKeyTakenException if the key has another value. If a step that runs at the same
   *     time is committed first with another value, this one fails when it is to be committed.
   */
  void set(String key, @Nullable Object value);

  /**
   * Sets a key once and for all to a value of this type. The type need not be given for a value
   * whose class says it all; that of a generic record, for one, does not.
   */
  <T> void set(String key, T value, TypeToken<T> type);

  /** Sets a key whatever it was. Of two steps at once, the one committed last decides. */
  void replace(String key, @Nullable Object value);

  /** Sets a key whatever it was, to a value of this type. */
  <T> void replace(String key, T value, TypeToken<T> type);
}
