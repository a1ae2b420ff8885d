package dev.standpipe;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Text that nobody meant to be read: random bytes, wild characters, good text gone bad. */
public final class Garbage {
  private static final String SPICE = "{}[]\",:\\0123456789eE+-.truefalsn\u0000\ud800 ;'`$\n";

  private Garbage() {}

  /** Random bytes taken for text, and any characters, half surrogate pairs among them. */
  public static Arbitrary<String> text() {
    Arbitrary<String> bytes =
        Arbitraries.bytes()
            .array(byte[].class)
            .ofMaxSize(300)
            .map(some -> new String(some, StandardCharsets.UTF_8));
    Arbitrary<String> characters =
        Arbitraries.chars()
            .range(Character.MIN_VALUE, Character.MAX_VALUE)
            .array(char[].class)
            .ofMaxSize(300)
            .map(String::new);
    Arbitrary<String> json = Arbitraries.strings().withChars(SPICE).ofMaxLength(300);
    return Arbitraries.oneOf(bytes, characters, json);
  }

  /** Cuts, doubles and replaces parts of a text, a few times. */
  public static String spoil(String text, long seed) {
    Random dice = new Random(seed);
    StringBuilder spoiled = new StringBuilder(text);
    int times = 1 + dice.nextInt(4);
    for (int i = 0; i < times && spoiled.length() > 1; i++) {
      int from = dice.nextInt(spoiled.length());
      int to = Math.min(spoiled.length(), from + 1 + dice.nextInt(12));
      switch (dice.nextInt(4)) {
        case 0 -> spoiled.delete(from, to);
        case 1 -> spoiled.insert(from, spoiled.substring(from, to));
        case 2 -> spoiled.setCharAt(from, SPICE.charAt(dice.nextInt(SPICE.length())));
        default -> spoiled.insert(from, SPICE.charAt(dice.nextInt(SPICE.length())));
      }
    }
    return spoiled.toString();
  }

  /** JSON nested this deep. */
  public static String nested(int depth, boolean closed, boolean objects) {
    return (objects ? "{\"a\":" : "[").repeat(depth)
        + "1"
        + (closed ? (objects ? "}" : "]").repeat(depth) : "");
  }
}
