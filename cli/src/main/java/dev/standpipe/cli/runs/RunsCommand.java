package dev.standpipe.cli.runs;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code standpipe runs}. */
@Command(
    name = "runs",
    description =
        "List, cancel, revive, pause, resume or rerun all runs that a filter lets through.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ListCommand.class,
      CancelCommand.class,
      ReviveCommand.class,
      PauseCommand.class,
      ResumeCommand.class,
      RerunCommand.class
    })
public final class RunsCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say what to do: list, cancel, revive, pause, resume or rerun.");
  }
}
