package dev.standpipe.cli.outbox;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code standpipe outbox dead}. */
@Command(
    name = "dead",
    description = "List the events that a sink has refused for too often, with the reason.")
final class DeadCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private NamedSink sink = new NamedSink();

  @Option(names = "--limit", defaultValue = "100", description = "How many; ${DEFAULT-VALUE}.")
  private int limit;

  @Override
  public void run() {
    sink.read(
        spec.commandLine().getOut(),
        outbox -> outbox.deadLetters(sink.name(), limit).stream().map(Printed::of).toList());
  }
}
