package dev.standpipe.cli.runs;

import dev.standpipe.cli.database.Target;
import dev.standpipe.info.RunInfo;
import dev.standpipe.operate.RunFilter;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code standpipe runs list}. */
@Command(name = "list", description = "List runs, newest first.")
final class ListCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();
  @Mixin private FilterOptions options = new FilterOptions();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many at most; ${DEFAULT-VALUE} by default, 1000 at most.")
  private int limit;

  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  @Override
  public void run() {
    RunFilter filter = options.filter();
    target.with(
        standpipe -> {
          List<RunInfo> runs = standpipe.operator("cli").list(filter, limit);
          PrintWriter out = spec.commandLine().getOut();
          if (json) {
            out.println(
                JsonMapper.shared()
                    .writeValueAsString(runs.stream().map(ListCommand::map).toList()));
          } else {
            runs.forEach(run -> out.println(String.join("  ", map(run).values())));
          }
          out.flush();
        });
  }

  private static Map<String, String> map(RunInfo run) {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("run", run.id().toString());
    map.put("pipeline", run.pipeline());
    map.put("status", run.status().name().toLowerCase(Locale.ROOT));
    map.put("created_at", run.createdAt().toString());
    run.key().ifPresent(key -> map.put("key", key));
    return map;
  }
}
