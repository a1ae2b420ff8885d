package dev.standpipe.cli.demo;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lines one after the other, for files and pipes: the progress once a second. */
final class PlainScreen implements Screen {
  private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1);

  private final PrintWriter out;
  private final long startedAt = System.nanoTime();
  private long shownAt = startedAt;
  private @Nullable Progress shown;
  private boolean closed;

  PlainScreen(PrintWriter out) {
    this.out = out;
  }

  @Override
  public synchronized void say(String line) {
    if (!closed) {
      print(line);
    }
  }

  @Override
  public synchronized void show(Progress progress) {
    long now = System.nanoTime();
    if (!closed
        && !progress.equals(shown)
        && (now - shownAt >= INTERVAL || progress.isComplete())) {
      shownAt = now;
      shown = progress;
      print(
          progress.steps().entrySet().stream()
              .map(e -> e.getKey() + " " + e.getValue().done() + "/" + e.getValue().of())
              .collect(Collectors.joining("  ")));
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  private void print(String line) {
    double seconds = (System.nanoTime() - startedAt) / 1e9;
    out.println(String.format(Locale.ROOT, "%5.1f s  %s", seconds, line));
    out.flush();
  }
}
