package dev.standpipe.cli.run;

import dev.standpipe.RunStatus;
import dev.standpipe.cli.database.Target;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code standpipe run cancel}. */
@Command(name = "cancel", description = "Stop a run; its bodies are interrupted, then cut off.")
final class CancelCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();
  @Mixin private Decision decision = new Decision();

  @Option(
      names = "--grace",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How long bodies have to end; ${DEFAULT-VALUE} by default.")
  private int grace;

  @Override
  public void run() {
    UUID run = decision.run();
    target.with(
        standpipe -> {
          RunStatus status =
              standpipe
                  .operator(decision.by())
                  .cancel(run, decision.reason(), Duration.ofSeconds(grace));
          decision.confirm(
              spec.commandLine().getOut(),
              "canceled",
              "status",
              status.name().toLowerCase(Locale.ROOT),
              status == RunStatus.CANCELED
                  ? "it has ended"
                  : "it ends when its bodies do, or their grace");
        });
  }
}
