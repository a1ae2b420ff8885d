package dev.standpipe.cli.outbox;

import dev.standpipe.cli.database.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code standpipe outbox lag}. */
@Command(
    name = "lag",
    description =
        "List the sinks: events to come, age of the oldest, dead letters, and whether it is paused.")
final class LagCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();

  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  @Override
  public void run() {
    target.with(
        standpipe ->
            Printed.print(
                spec.commandLine().getOut(),
                standpipe.operator("cli").outbox().sinks().stream().map(Printed::of).toList(),
                json));
  }
}
