package dev.standpipe.cli.outbox;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code standpipe outbox}. */
@Command(
    name = "outbox",
    description = "See what sinks have still to get, and decide about what they have refused.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      LagCommand.class,
      ListCommand.class,
      DeadCommand.class,
      ReplayCommand.class,
      DiscardCommand.class,
      PauseCommand.class,
      ResumeCommand.class,
      RemoveCommand.class
    })
public final class OutboxCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Say what to do: lag, list, dead, replay, discard, pause, resume or remove.");
  }
}
