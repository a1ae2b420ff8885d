package dev.standpipe.faults;

/** How long a test goes on: briefly in {@code verify}, long with {@code -Psoak}. */
final class Soak {
  private Soak() {}

  /** The count of this name if it is given, otherwise one or the other. */
  static int count(String name, int brief, int soak) {
    return Integer.getInteger(name, Boolean.getBoolean("soak") ? soak : brief);
  }

  /** The seed that was asked for, or a fresh one; prints it. */
  static long seed(String test) {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println(test + ": -Dseed=" + seed);
    return seed;
  }
}
