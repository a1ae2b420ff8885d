package dev.standpipe.cli.pipeline;

import dev.standpipe.Lane;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

/** What an operator says with a decision about a pipeline, and how it is confirmed. */
final class Decision {
  @Parameters(paramLabel = "PIPELINE", description = "The name of the pipeline.")
  private String pipeline = "";

  @Option(
      names = "--definition",
      paramLabel = "HASH",
      description = "Only the runs of this definition; the beginning of its hash is enough.")
  private Optional<String> definition = Optional.empty();

  @Option(
      names = "--by",
      defaultValue = "${sys:user.name}",
      description = "Who decides, for the audit; by default who is logged in.")
  private String by = "";

  @Option(names = "--reason", required = true, description = "Why, for the audit.")
  private String reason = "";

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  String pipeline() {
    return pipeline;
  }

  /** The lane, if one is named. */
  Optional<Lane> lane() {
    return definition.map(hash -> new Lane(pipeline, hash));
  }

  String by() {
    return by;
  }

  String reason() {
    return reason;
  }

  /** Says what was done. */
  void confirm(PrintWriter out, String done, boolean changed, String consequence) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("pipeline", pipeline);
    definition.ifPresent(hash -> map.put("definition", hash));
    map.put("done", done);
    map.put("changed", changed);
    String what = lane().map(Lane::toString).orElse(pipeline);
    out.println(
        json
            ? JsonMapper.shared().writeValueAsString(map)
            : "%s: %s, %s".formatted(what, done, consequence));
    out.flush();
  }
}
