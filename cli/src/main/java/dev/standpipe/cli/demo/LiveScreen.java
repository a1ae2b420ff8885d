package dev.standpipe.cli.demo;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Help.Ansi;

/** A terminal: bars that are redrawn in place, the story above them. */
final class LiveScreen implements Screen {
  private static final String CLEAR_LINE = "\u001b[K";

  private final PrintWriter out;
  private final Bars bars;
  private List<String> drawn = List.of();
  private boolean closed;

  LiveScreen(PrintWriter out, Bars bars) {
    this.out = out;
    this.bars = bars;
  }

  @Override
  public synchronized void say(String line) {
    if (!closed) {
      goUp();
      out.println(Ansi.AUTO.string("@|bold >|@ ") + line + CLEAR_LINE);
      draw(drawn);
    }
  }

  @Override
  public synchronized void show(Progress progress) {
    if (!closed) {
      goUp();
      draw(bars.lines(progress));
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  private void goUp() {
    if (!drawn.isEmpty()) {
      out.print("\u001b[" + drawn.size() + "A\r");
    }
  }

  private void draw(List<String> lines) {
    lines.forEach(line -> out.println(line + CLEAR_LINE));
    out.flush();
    drawn = lines;
  }
}
