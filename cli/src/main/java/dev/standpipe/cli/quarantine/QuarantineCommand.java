package dev.standpipe.cli.quarantine;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code standpipe quarantine}. */
@Command(
    name = "quarantine",
    description = "List, show, release or discard steps that kept killing their process.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ListCommand.class,
      ShowCommand.class,
      ReleaseCommand.class,
      DiscardCommand.class
    })
public final class QuarantineCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say what to do: list, show, release or discard.");
  }
}
