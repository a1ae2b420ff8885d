package dev.standpipe.cli.outbox;

import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code standpipe outbox replay}. */
@Command(name = "replay", description = "Have a dead letter tried again.")
final class ReplayCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private NamedSink sink = new NamedSink();

  @Parameters(index = "1", paramLabel = "EVENT", description = "The id of the event.")
  private UUID event = new UUID(0, 0);

  @Option(names = "--reason", required = true, description = "Why.")
  private String reason = "";

  @Override
  public void run() {
    sink.change(
        spec.commandLine().getOut(),
        outbox ->
            outbox.replay(sink.name(), event, reason)
                ? "to be tried again: " + event
                : event + " is no dead letter of this sink");
  }
}
