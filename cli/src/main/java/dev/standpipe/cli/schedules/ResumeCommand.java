package dev.standpipe.cli.schedules;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe schedules resume}. */
@Command(name = "resume", description = "Let a schedule fire again, from its next instant on.")
final class ResumeCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Subject subject = new Subject();

  @Override
  public void run() {
    subject.change(
        spec.commandLine().getOut(),
        schedules ->
            schedules.resume(subject.name())
                ? "resumed, instants that passed meanwhile are not fired"
                : "it was not paused");
  }
}
