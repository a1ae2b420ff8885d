package dev.standpipe.cli.schedules;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe schedules fire}. */
@Command(name = "fire", description = "Have a run of the schedule started now.")
final class FireCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Subject subject = new Subject();

  @Override
  public void run() {
    subject.change(
        spec.commandLine().getOut(),
        schedules -> "a run is asked for, as instant " + schedules.fire(subject.name()));
  }
}
