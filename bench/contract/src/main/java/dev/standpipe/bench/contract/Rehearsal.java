package dev.standpipe.bench.contract;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;

/** Runs a trial in this JVM, with nobody at the other end of the line: for tests of contenders. */
public final class Rehearsal {
  private Rehearsal() {}

  /** Runs it, and returns what it said. */
  public static String of(Contender contender, Order order) throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
      Line line = new Line(new BufferedReader(new StringReader("go\n")), out);
      order.trial().trial().run(contender, order, line);
    }
    return said.toString(StandardCharsets.UTF_8);
  }
}
