package dev.standpipe.cli.demo;

/** Counts in words. */
final class Words {
  private Words() {}

  /** Such as {@code 1 step} and {@code 2 steps}. */
  static String counted(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
