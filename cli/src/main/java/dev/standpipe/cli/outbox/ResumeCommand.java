package dev.standpipe.cli.outbox;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code standpipe outbox resume}. */
@Command(name = "resume", description = "Go on publishing to a sink.")
final class ResumeCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private NamedSink sink = new NamedSink();

  @Option(names = "--reason", required = true, description = "Why.")
  private String reason = "";

  @Override
  public void run() {
    sink.change(
        spec.commandLine().getOut(),
        outbox -> outbox.resume(sink.name(), reason) ? "resumed" : "it was not paused");
  }
}
