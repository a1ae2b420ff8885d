package dev.standpipe.cli.schedules;

import dev.standpipe.schedule.Missed;
import dev.standpipe.schedule.Overlap;
import dev.standpipe.schedule.Policies;
import dev.standpipe.schedule.Timing;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** {@code standpipe schedules create}. */
@Command(
    name = "create",
    description = "Make a schedule with one input for all its runs, or change it.")
final class CreateCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Subject subject = new Subject();

  @Option(names = "--pipeline", required = true, description = "What it starts runs of.")
  private String pipeline = "";

  @Option(
      names = "--cron",
      paramLabel = "EXPRESSION",
      description = "Second, minute, hour, day, month, day of the week, as \"0 30 2 * * *\".")
  private Optional<String> cron = Optional.empty();

  @Option(
      names = "--zone",
      defaultValue = "UTC",
      description = "The time zone of the expression; ${DEFAULT-VALUE} by default.")
  private String zone = "";

  @Option(names = "--every", paramLabel = "DURATION", description = "An interval instead, as PT5M.")
  private Optional<Duration> every = Optional.empty();

  @Option(names = "--input", paramLabel = "JSON", description = "The input of its runs, as JSON.")
  private @Nullable String input;

  @Option(
      names = "--overlap",
      defaultValue = "ALLOW",
      description =
          "While an earlier run has not ended: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} by"
              + " default.")
  private Overlap overlap = Overlap.ALLOW;

  @Override
  public void run() {
    Timing timing = timing();
    Object value = value();
    subject.change(
        spec.commandLine().getOut(),
        schedules -> {
          schedules.create(
              subject.name(),
              pipeline,
              timing,
              value,
              new Policies(Missed.latest(), overlap, Duration.ZERO));
          return "it fires next at "
              + schedules
                  .find(subject.name())
                  .flatMap(one -> one.next())
                  .map(Object::toString)
                  .orElse("no time");
        });
  }

  private Timing timing() {
    if (cron.isPresent() == every.isPresent()) {
      throw new ParameterException(spec.commandLine(), "Say when: either --cron or --every.");
    }
    return cron.map(expression -> Timing.cron(expression, zoneId()))
        .orElseGet(() -> Timing.every(every.orElseThrow()));
  }

  private ZoneId zoneId() {
    try {
      return ZoneId.of(zone);
    } catch (DateTimeException e) {
      throw new ParameterException(
          spec.commandLine(),
          "There is no time zone \"%s\": say one as Europe/Berlin or UTC.".formatted(zone),
          e);
    }
  }

  private Object value() {
    if (input == null) {
      throw new ParameterException(spec.commandLine(), "Give the input of its runs with --input.");
    }
    try {
      return JsonMapper.shared().readValue(input, Object.class);
    } catch (JacksonException e) {
      throw new ParameterException(
          spec.commandLine(), "--input is no JSON: " + e.getOriginalMessage(), e);
    }
  }
}
