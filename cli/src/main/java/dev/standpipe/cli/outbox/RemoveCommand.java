package dev.standpipe.cli.outbox;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code standpipe outbox remove}. */
@Command(
    name = "remove",
    description =
        "Remove a sink that no program declares any more, with all that it has still to get.")
final class RemoveCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private NamedSink sink = new NamedSink();

  @Option(names = "--reason", required = true, description = "Why.")
  private String reason = "";

  @Override
  public void run() {
    sink.change(
        spec.commandLine().getOut(),
        outbox -> {
          outbox.remove(sink.name(), reason);
          return "removed";
        });
  }
}
