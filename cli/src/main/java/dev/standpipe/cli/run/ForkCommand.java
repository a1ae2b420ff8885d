package dev.standpipe.cli.run;

import dev.standpipe.cli.CommandFailure;
import dev.standpipe.cli.database.Target;
import dev.standpipe.operate.Fork;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** {@code standpipe run fork}. */
@Command(
    name = "fork",
    description = {
      "Start a new run from one of the nodes of a run: it takes over what has finished before the node"
          + " and does the rest."
    })
final class ForkCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();
  @Mixin private Decision decision = new Decision();

  @Option(
      names = "--at",
      paramLabel = "NODE",
      required = true,
      description = "The node to start from.")
  private String node = "";

  @Option(
      names = "--input",
      paramLabel = "JSON",
      description = "What the node gets, if not what it got; for one that gets one value.")
  private Optional<String> input = Optional.empty();

  @Option(
      names = "--value",
      paramLabel = "NODE=JSON",
      description = "Another value of a node whose value it gets; may be given several times.")
  private Map<String, String> values = new LinkedHashMap<>();

  @Override
  public void run() {
    UUID run = decision.run();
    Fork options = options();
    target.with(
        standpipe -> {
          UUID fork = standpipe.operator(decision.by()).fork(run, node, decision.reason(), options);
          decision.confirm(
              spec.commandLine().getOut(),
              "forked at " + node,
              "fork",
              fork.toString(),
              "the new run is " + fork);
        });
  }

  private Fork options() {
    Fork options = input.map(json -> Fork.input(parse("--input", json))).orElse(Fork.unchanged());
    for (Map.Entry<String, String> value : values.entrySet()) {
      options = options.value(value.getKey(), parse("--value " + value.getKey(), value.getValue()));
    }
    return options;
  }

  private static Object parse(String option, String json) {
    try {
      Object value = JsonMapper.shared().readValue(json, Object.class);
      if (value != null) {
        return value;
      }
    } catch (JacksonException e) {
      throw new CommandFailure(
          CommandFailure.USAGE, option + " is not JSON: " + e.getOriginalMessage(), e);
    }
    throw new CommandFailure(CommandFailure.USAGE, option + " cannot be null.");
  }
}
