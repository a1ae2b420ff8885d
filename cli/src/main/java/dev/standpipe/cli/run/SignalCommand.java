package dev.standpipe.cli.run;

import dev.standpipe.SignalOptions;
import dev.standpipe.cli.CommandFailure;
import dev.standpipe.cli.database.Target;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** {@code standpipe run signal}. */
@Command(name = "signal", description = "Give a run the signal it awaits.")
final class SignalCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();
  @Mixin private RunId id = new RunId();

  @Parameters(paramLabel = "KEY", description = "The key of the await.")
  private String key = "";

  @Parameters(paramLabel = "JSON", description = "The signal's value, such as '{\"paid\":12}'.")
  private String value = "";

  @Option(
      names = "--index",
      paramLabel = "N",
      defaultValue = "0",
      description = "The element of an expand it is for; ${DEFAULT-VALUE} by default.")
  private int index;

  @Option(
      names = "--dedupe-key",
      paramLabel = "KEY",
      description = "Which signal it is: the same again changes nothing.")
  private Optional<String> dedupeKey = Optional.empty();

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Override
  public void run() {
    UUID run = id.id();
    Object parsed = parsed();
    SignalOptions forElement = SignalOptions.index(index);
    SignalOptions options = dedupeKey.map(forElement::withDedupeKey).orElse(forElement);
    target.with(
        standpipe -> {
          boolean taken = standpipe.signal(run, key, parsed, options);
          confirm(spec.commandLine().getOut(), run, taken);
        });
  }

  private void confirm(PrintWriter out, UUID run, boolean taken) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("run", run.toString());
    map.put("await", key);
    map.put("taken", taken);
    out.println(
        json
            ? JsonMapper.shared().writeValueAsString(map)
            : "%s: %s %s".formatted(run, key, taken ? "is signaled" : "has this signal already"));
    out.flush();
  }

  private Object parsed() {
    @Nullable Object read;
    try {
      read = JsonMapper.shared().readValue(value, Object.class);
    } catch (JacksonException e) {
      throw new CommandFailure(
          CommandFailure.USAGE, "\"" + value + "\" is not JSON: text needs quotes of its own.");
    }
    if (read == null) {
      throw new CommandFailure(CommandFailure.USAGE, "A signal has a value, and null is none.");
    }
    return read;
  }
}
