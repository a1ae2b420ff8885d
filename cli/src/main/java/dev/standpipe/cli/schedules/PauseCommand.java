package dev.standpipe.cli.schedules;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code standpipe schedules pause}. */
@Command(name = "pause", description = "Hold a schedule up until it is resumed.")
final class PauseCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Subject subject = new Subject();

  @Option(names = "--reason", required = true, description = "Why.")
  private String reason = "";

  @Override
  public void run() {
    subject.change(
        spec.commandLine().getOut(),
        schedules -> schedules.pause(subject.name(), reason) ? "paused" : "it was paused already");
  }
}
