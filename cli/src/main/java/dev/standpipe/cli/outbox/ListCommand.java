package dev.standpipe.cli.outbox;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code standpipe outbox list}. */
@Command(
    name = "list",
    description = "List the events that a sink has still to get, in their order.")
final class ListCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private NamedSink sink = new NamedSink();

  @Option(names = "--limit", defaultValue = "100", description = "How many; ${DEFAULT-VALUE}.")
  private int limit;

  @Override
  public void run() {
    sink.read(
        spec.commandLine().getOut(),
        outbox -> outbox.pending(sink.name(), limit).stream().map(Printed::of).toList());
  }
}
