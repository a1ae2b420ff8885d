package dev.standpipe.cli.quarantine;

import dev.standpipe.info.StepId;
import java.io.PrintWriter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What an operator says with a decision, and how it is confirmed. */
final class Decision {
  @Parameters(paramLabel = "STEP", description = "The step, as list prints it: run/node/index.")
  private String step = "";

  @Option(
      names = "--by",
      defaultValue = "${sys:user.name}",
      description = "Who decides, for the audit; by default who is logged in.")
  private String by = "";

  @Option(names = "--reason", required = true, description = "Why, for the audit.")
  private String reason = "";

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  StepId step() {
    return StepId.parse(step);
  }

  String by() {
    return by;
  }

  String reason() {
    return reason;
  }

  void confirm(PrintWriter out, String done, String consequence) {
    out.println(json ? Report.json(step(), done) : "%s: %s, %s".formatted(step, done, consequence));
    out.flush();
  }
}
