package dev.standpipe.cli.pipeline;

import dev.standpipe.cli.database.Target;
import dev.standpipe.operate.Pause;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code standpipe pipeline paused}. */
@Command(name = "paused", description = "List the pipelines that are paused.")
final class PausedCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();

  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  @Override
  public void run() {
    target.with(
        standpipe -> {
          List<Map<String, String>> paused =
              standpipe.operator("cli").pauses().stream().map(PausedCommand::map).toList();
          PrintWriter out = spec.commandLine().getOut();
          if (json) {
            out.println(JsonMapper.shared().writeValueAsString(paused));
          } else {
            paused.forEach(pause -> out.println(String.join("  ", pause.values())));
          }
          out.flush();
        });
  }

  private static Map<String, String> map(Pause pause) {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("pipeline", pause.pipeline());
    pause.lane().ifPresent(lane -> map.put("definition", lane.definition()));
    map.put("since", pause.since().toString());
    map.put("by", pause.by());
    map.put("reason", pause.reason());
    return map;
  }
}
