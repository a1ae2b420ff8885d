package dev.standpipe.cli.schedules;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code standpipe schedules}. */
@Command(
    name = "schedules",
    description = "List schedules, see what they fired, or change them.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ListCommand.class,
      ShowCommand.class,
      CreateCommand.class,
      RemoveCommand.class,
      PauseCommand.class,
      ResumeCommand.class,
      FireCommand.class,
      BackfillCommand.class
    })
public final class SchedulesCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Say what to do: list, show, create, remove, pause, resume, fire or backfill.");
  }
}
