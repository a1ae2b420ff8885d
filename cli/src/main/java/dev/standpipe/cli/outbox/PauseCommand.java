package dev.standpipe.cli.outbox;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code standpipe outbox pause}. */
@Command(name = "pause", description = "Stop publishing to a sink until it is resumed.")
final class PauseCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private NamedSink sink = new NamedSink();

  @Option(names = "--reason", required = true, description = "Why.")
  private String reason = "";

  @Override
  public void run() {
    sink.change(
        spec.commandLine().getOut(),
        outbox -> outbox.pause(sink.name(), reason) ? "paused" : "it was paused already");
  }
}
