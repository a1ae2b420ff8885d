package dev.standpipe.cli.run;

import dev.standpipe.cli.database.Target;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe run pause}. */
@Command(name = "pause", description = "Hold a run up until it is resumed.")
final class PauseCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();
  @Mixin private Decision decision = new Decision();

  @Override
  public void run() {
    UUID run = decision.run();
    target.with(
        standpipe -> {
          boolean changed = standpipe.operator(decision.by()).pause(run, decision.reason());
          decision.confirm(
              spec.commandLine().getOut(),
              "paused",
              "changed",
              changed,
              changed ? "what runs may finish" : "it was already");
        });
  }
}
