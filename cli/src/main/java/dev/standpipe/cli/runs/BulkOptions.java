package dev.standpipe.cli.runs;

import dev.standpipe.cli.database.Target;
import dev.standpipe.operate.Bulk;
import dev.standpipe.operate.BulkResult;
import dev.standpipe.operate.RunFilter;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** What is done to many runs: to which, by whom, and whether at all. */
final class BulkOptions {
  @Mixin private Target target = new Target();
  @Mixin private FilterOptions filter = new FilterOptions();

  @Option(
      names = "--by",
      defaultValue = "${sys:user.name}",
      description = "Who decides, for the audit; by default who is logged in.")
  private String by = "";

  @Option(names = "--reason", required = true, description = "Why, for the audit.")
  private String reason = "";

  @Option(names = "--dry-run", description = "Only count the runs that are meant.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  /** Does it, and says to how many. */
  void run(PrintWriter out, String done, BiFunction<Bulk, String, BulkResult> action) {
    RunFilter meant = filter.filter();
    target.with(
        standpipe -> {
          Bulk bulk = standpipe.operator(by).bulk(meant);
          BulkResult result = action.apply(dryRun ? bulk.dryRun() : bulk, reason);
          if (json) {
            out.println(JsonMapper.shared().writeValueAsString(map(done, result)));
          } else {
            print(out, done, result);
          }
          out.flush();
        });
  }

  private void print(PrintWriter out, String done, BulkResult result) {
    if (dryRun) {
      out.printf("%d runs would be %s%n", result.matched(), done);
      return;
    }
    out.printf("%d of %d runs %s%n", result.changed(), result.matched(), done);
    result.refused().forEach((run, why) -> out.printf("%s: %s%n", run, why));
  }

  private Map<String, Object> map(String done, BulkResult result) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("done", done);
    map.put("dry_run", dryRun);
    map.put("matched", result.matched());
    map.put("changed", result.changed());
    Map<String, String> refused = new LinkedHashMap<>();
    result.refused().forEach((run, why) -> refused.put(run.toString(), why));
    map.put("refused", refused);
    return map;
  }
}
