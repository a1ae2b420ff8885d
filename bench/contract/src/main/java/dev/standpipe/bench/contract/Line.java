package dev.standpipe.bench.contract;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;

/** The child's side of the wire to the orchestrator. Writing is thread-safe. */
public class Line {
  /** What each line of the child's begins with; everything else on its output is noise. */
  public static final String PREFIX = "bench> ";

  private final BufferedReader in;
  private final PrintStream out;

  Line(BufferedReader in, PrintStream out) {
    this.in = in;
    this.out = out;
  }

  /** Tells the orchestrator something. */
  public synchronized void say(String word, String rest) {
    out.println(PREFIX + word + "\t" + rest);
    out.flush();
  }

  /** Says that all is prepared, and waits for the word to begin. */
  public void awaitGo() throws IOException {
    say("ready", "");
    expect("go");
  }

  /** Waits for a word of the orchestrator's. */
  public void expect(String word) throws IOException {
    String line = in.readLine();
    if (!word.equals(line)) {
      throw new IOException("Expected \"" + word + "\", got \"" + line + "\"");
    }
  }
}
