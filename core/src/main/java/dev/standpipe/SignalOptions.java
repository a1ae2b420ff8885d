package dev.standpipe;

import java.util.Optional;

/** How a signal is meant. Immutable; start from one of the factories and add to it. */
public final class SignalOptions {
  private static final int LONGEST_KEY = 255;
  private static final SignalOptions NONE = new SignalOptions(Optional.empty(), 0);

  private final Optional<String> dedupeKey;
  private final int index;

  private SignalOptions(Optional<String> dedupeKey, int index) {
    this.dedupeKey = dedupeKey;
    this.index = index;
  }

  /** For the only element; without a key, the same value again is the same signal. */
  public static SignalOptions none() {
    return NONE;
  }

  /** Says which signal it is: one with this key that was taken already changes nothing again. */
  public static SignalOptions dedupeKey(String key) {
    return NONE.withDedupeKey(key);
  }

  /** For this element of an expand, from 0. */
  public static SignalOptions index(int index) {
    return NONE.withIndex(index);
  }

  /** Says which signal it is: one with this key that was taken already changes nothing again. */
  public SignalOptions withDedupeKey(String key) {
    if (key == null || key.isBlank() || key.length() > LONGEST_KEY || key.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "A dedupe key has 1 to " + LONGEST_KEY + " characters, not all blank, without NUL");
    }
    return new SignalOptions(Optional.of(key), index);
  }

  /** For this element of an expand, from 0. */
  public SignalOptions withIndex(int element) {
    if (element < 0) {
      throw new IllegalArgumentException("Elements are counted from 0, not from " + element);
    }
    return new SignalOptions(dedupeKey, element);
  }

  /** What tells it from another signal; without one, its value does. */
  public Optional<String> dedupeKey() {
    return dedupeKey;
  }

  /** The element it is for. */
  public int index() {
    return index;
  }
}
