package dev.standpipe.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Runs the command in this process and keeps what it prints. */
public final class Commands {
  private Commands() {}

  /**
   * What came of it.
   *
   * @param exitCode the exit code
   * @param out standard output
   * @param err standard error
   */
  public record Outcome(int exitCode, String out, String err) {}

  /** Runs {@code standpipe} with these arguments. */
  public static Outcome run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
    int exitCode = command.execute(args);
    return new Outcome(exitCode, out.toString(), err.toString());
  }
}
