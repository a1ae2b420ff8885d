package dev.standpipe.cli.schedules;

import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code standpipe schedules backfill}. */
@Command(name = "backfill", description = "Fire the instants of a past time that were not fired.")
final class BackfillCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Subject subject = new Subject();

  @Option(
      names = "--from",
      required = true,
      paramLabel = "TIME",
      description = "The first instant that counts, as 2026-01-31T00:00:00Z.")
  private Instant from = Instant.EPOCH;

  @Option(
      names = "--until",
      required = true,
      paramLabel = "TIME",
      description = "The first that does not count any more; not after now.")
  private Instant until = Instant.EPOCH;

  @Override
  public void run() {
    subject.change(
        spec.commandLine().getOut(),
        schedules ->
            "%d instants will be fired".formatted(schedules.backfill(subject.name(), from, until)));
  }
}
