package dev.standpipe.cli.runs;

import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code standpipe runs cancel}. */
@Command(name = "cancel", description = "Stop runs that are running, waiting, paused or halting.")
final class CancelCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private BulkOptions options = new BulkOptions();

  @Option(
      names = "--grace",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How long bodies have to end; ${DEFAULT-VALUE} by default.")
  private int grace;

  @Override
  public void run() {
    options.run(
        spec.commandLine().getOut(),
        "canceled",
        (bulk, why) -> bulk.cancel(why, Duration.ofSeconds(grace)));
  }
}
