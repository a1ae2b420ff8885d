package dev.standpipe.cli.run;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** What an operator says with a decision, and how it is confirmed. */
final class Decision {
  @Mixin private RunId run = new RunId();

  @Option(
      names = "--by",
      defaultValue = "${sys:user.name}",
      description = "Who decides, for the audit; by default who is logged in.")
  private String by = "";

  @Option(names = "--reason", required = true, description = "Why, for the audit.")
  private String reason = "";

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  UUID run() {
    return run.id();
  }

  String by() {
    return by;
  }

  String reason() {
    return reason;
  }

  /** Says what was done, with one more thing to know about it. */
  void confirm(PrintWriter out, String done, String name, Object value, String consequence) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("run", run().toString());
    map.put("done", done);
    map.put(name, value);
    out.println(
        json
            ? JsonMapper.shared().writeValueAsString(map)
            : "%s: %s, %s".formatted(run(), done, consequence));
    out.flush();
  }
}
