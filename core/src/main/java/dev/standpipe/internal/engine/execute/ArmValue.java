package dev.standpipe.internal.engine.execute;

/**
 * The name of an arm as the value of a divert. A process that revives a run reads it to work out
 * what follows, so it is not left to the codec, which may encrypt; no name needs an escape.
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
