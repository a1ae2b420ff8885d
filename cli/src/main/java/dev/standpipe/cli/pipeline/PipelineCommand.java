package dev.standpipe.cli.pipeline;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code standpipe pipeline}. */
@Command(
    name = "pipeline",
    description = "Pause or resume a pipeline, or list those that are paused.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {PauseCommand.class, ResumeCommand.class, PausedCommand.class})
public final class PipelineCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do: pause, resume or paused.");
  }
}
