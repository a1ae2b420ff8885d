package dev.standpipe.cli.pipeline;

import dev.standpipe.cli.database.Target;
import dev.standpipe.operate.Operator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe pipeline pause}. */
@Command(name = "pause", description = "Hold all runs of a pipeline up until it is resumed.")
final class PauseCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();
  @Mixin private Decision decision = new Decision();

  @Override
  public void run() {
    target.with(
        standpipe -> {
          boolean changed = pause(standpipe.operator(decision.by()));
          decision.confirm(
              spec.commandLine().getOut(),
              "paused",
              changed,
              changed ? "what runs may finish, runs may be started and wait" : "it was already");
        });
  }

  private boolean pause(Operator operator) {
    return decision
        .lane()
        .map(lane -> operator.pause(lane, decision.reason()))
        .orElseGet(() -> operator.pause(decision.pipeline(), decision.reason()));
  }
}
