package dev.standpipe.cli.schedules;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe schedules remove}. */
@Command(name = "remove", description = "Remove a schedule; what it has started stays.")
final class RemoveCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Subject subject = new Subject();

  @Override
  public void run() {
    subject.change(
        spec.commandLine().getOut(),
        schedules -> {
          schedules.remove(subject.name());
          return "removed, what it has started stays";
        });
  }
}
