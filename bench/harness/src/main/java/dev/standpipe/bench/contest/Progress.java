package dev.standpipe.bench.contest;

import dev.standpipe.bench.report.Result;
import java.io.PrintStream;
import java.time.Duration;

/** Tells somebody who waits how far things are. */
public final class Progress {
  private final PrintStream out;
  private final long began = System.nanoTime();

  /** One that writes here. */
  public Progress(PrintStream out) {
    this.out = out;
  }

  /** Says something. */
  public void tell(String text) {
    Duration sofar = Duration.ofNanos(System.nanoTime() - began);
    out.printf("[%2d:%02d] %s%n", sofar.toMinutes(), sofar.toSecondsPart(), text);
  }

  void tell(Workload workload, Entrant entrant, String turn, Result result) {
    tell(
        String.format(
            "%-16s %-13s %s  %s", workload.name(), entrant.title(), turn, result.inShort()));
  }
}
