package dev.standpipe.cli.demo;

import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help.Ansi;

/**
 * Draws one bar for each step, narrow enough for any terminal.
 *
 * @param full what is done
 * @param empty what is not
 */
record Bars(String full, String empty) {
  /** What a bar takes with all that is beside it. */
  static final int LONGEST_LINE = 60;

  private static final int WIDTH = 32;

  /** With blocks, where the terminal can show them. */
  static Bars forCharset(Charset charset) {
    return charset.canEncode() && charset.newEncoder().canEncode("█░")
        ? new Bars("█", "░")
        : new Bars("#", ".");
  }

  List<String> lines(Progress progress) {
    return progress.steps().entrySet().stream().map(this::line).toList();
  }

  private String line(Map.Entry<String, Progress.Count> step) {
    Progress.Count count = step.getValue();
    int done = Math.min(WIDTH, WIDTH * count.done() / Math.max(1, count.of()));
    String colour = count.isComplete() ? "green" : "cyan";
    String filled = done == 0 ? "" : "@|%s %s|@".formatted(colour, full.repeat(done));
    String bar = Ansi.AUTO.string(filled) + empty.repeat(WIDTH - done);
    return "  %-8s %s %5d/%d".formatted(step.getKey(), bar, count.done(), count.of());
  }
}
