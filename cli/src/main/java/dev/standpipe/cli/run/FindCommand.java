package dev.standpipe.cli.run;

import dev.standpipe.Run;
import dev.standpipe.cli.CommandFailure;
import dev.standpipe.cli.database.Target;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code standpipe run find}. */
@Command(name = "find", description = "Print the id of the run that was started with a key.")
final class FindCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();

  @Parameters(paramLabel = "PIPELINE", description = "The name of its pipeline.")
  private String pipeline = "";

  @Parameters(paramLabel = "KEY", description = "The key it was started with.")
  private String key = "";

  @Override
  public void run() {
    target.with(
        standpipe -> {
          Run<?> found =
              standpipe
                  .runByKey(pipeline, key)
                  .orElseThrow(
                      () ->
                          new CommandFailure(
                              CommandFailure.FAILED,
                              "No run of pipeline \"%s\" has the key \"%s\"."
                                  .formatted(pipeline, key)));
          PrintWriter out = spec.commandLine().getOut();
          out.println(found.id());
          out.flush();
        });
  }
}
