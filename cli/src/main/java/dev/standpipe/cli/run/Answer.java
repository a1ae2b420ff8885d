package dev.standpipe.cli.run;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

/** What a person answers a run that asks, and how it is confirmed. */
final class Answer {
  @Mixin private RunId run = new RunId();

  @Parameters(paramLabel = "KEY", description = "The key of the approval.")
  private String key = "";

  @Option(
      names = "--by",
      defaultValue = "${sys:user.name}",
      description = "Who answers; by default who is logged in.")
  private String by = "";

  @Option(names = "--comment", required = true, description = "What to say about it.")
  private String comment = "";

  @Option(
      names = "--index",
      paramLabel = "N",
      defaultValue = "0",
      description = "The element of an expand it is for; ${DEFAULT-VALUE} by default.")
  private int index;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  UUID run() {
    return run.id();
  }

  String key() {
    return key;
  }

  String by() {
    return by;
  }

  String comment() {
    return comment;
  }

  int index() {
    return index;
  }

  void confirm(PrintWriter out, String done, boolean taken) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("run", run().toString());
    map.put("await", key);
    map.put("done", done);
    map.put("taken", taken);
    out.println(
        json
            ? JsonMapper.shared().writeValueAsString(map)
            : "%s: %s %s%s".formatted(run(), key, done, taken ? "" : " already"));
    out.flush();
  }
}
