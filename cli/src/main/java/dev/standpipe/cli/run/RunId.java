package dev.standpipe.cli.run;

import dev.standpipe.cli.CommandFailure;
import java.util.UUID;
import picocli.CommandLine.Parameters;

/** The run a command is about, as the user names it. */
final class RunId {
  @Parameters(paramLabel = "RUN", description = "The id of the run.")
  private String run = "";

  UUID id() {
    try {
      return UUID.fromString(run);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          CommandFailure.USAGE,
          "\"" + run + "\" is no run's id, which looks like 01890a5d-ac96-774b-bcce-b302099a8057.");
    }
  }
}
