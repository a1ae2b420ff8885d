package dev.standpipe.bench.contract;

import java.util.Random;

/** Text values of a given size, of letters and digits that do not compress well. */
public final class Payload {
  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private Payload() {}

  /** The first value of a run: different for each. */
  public static String first(int run, int bytes) {
    Random random = new Random(run);
    StringBuilder text = new StringBuilder(bytes);
    while (text.length() < bytes) {
      text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }

  /** What a step makes of a value: another one, of the same size. */
  public static String next(String value) {
    return value.substring(1) + value.charAt(0);
  }
}
