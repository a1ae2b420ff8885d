package dev.standpipe.cli.outbox;

import dev.standpipe.outbox.Outbox;
import java.io.PrintWriter;
import java.util.UUID;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which dead letter is decided about, and why. */
final class ChosenLetter {
  @Mixin private NamedSink sink = new NamedSink();

  @Parameters(index = "1", paramLabel = "EVENT", description = "The id of the event.")
  private UUID event = new UUID(0, 0);

  @Option(names = "--reason", required = true, description = "Why.")
  private String reason = "";

  /** What is decided. */
  @FunctionalInterface
  interface LetterDecision {
    /** Says whether it is a dead letter of the sink. */
    boolean about(Outbox outbox, String sink, UUID event, String reason);
  }

  /** Decides, and says so. */
  void decide(PrintWriter out, String done, LetterDecision decision) {
    sink.change(
        out,
        outbox ->
            decision.about(outbox, sink.name(), event, reason)
                ? done + " " + event
                : event + " is no dead letter of this sink");
  }
}
