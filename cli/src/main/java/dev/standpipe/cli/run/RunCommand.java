package dev.standpipe.cli.run;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code standpipe run}. */
@Command(
    name = "run",
    description = "Find, show, cancel, revive, pause, resume, rerun, fork or signal a run.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ShowCommand.class,
      FindCommand.class,
      CancelCommand.class,
      ReviveCommand.class,
      PauseCommand.class,
      ResumeCommand.class,
      RerunCommand.class,
      ForkCommand.class,
      SignalCommand.class,
      ApproveCommand.class,
      RejectCommand.class
    })
public final class RunCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Say what to do: find, show, cancel, revive, pause, resume, rerun, fork, signal, approve or reject.");
  }
}
