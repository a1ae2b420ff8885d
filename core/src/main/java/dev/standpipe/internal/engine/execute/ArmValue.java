package dev.standpipe.internal.engine.execute;

/**
 * The name of an arm as the value of a divert. What follows from it is worked out wherever a run is
 * brought back, so it is not left to the codec, which may encrypt; no name needs an escape.
 */
public final class ArmValue {
  private ArmValue() {}

  static String write(String arm) {
    return '"' + arm + '"';
  }

  public static String read(String value) {
    return value.substring(1, value.length() - 1);
  }
}
