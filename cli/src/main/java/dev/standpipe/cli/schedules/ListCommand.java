package dev.standpipe.cli.schedules;

import dev.standpipe.cli.database.Target;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code standpipe schedules list}. */
@Command(name = "list", description = "List the schedules, with their next instants.")
final class ListCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();

  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  @Override
  public void run() {
    target.with(
        standpipe -> {
          List<Map<String, Object>> rows =
              standpipe.operator("cli").schedules().list().stream().map(Row::of).toList();
          PrintWriter out = spec.commandLine().getOut();
          if (json) {
            out.println(JsonMapper.shared().writeValueAsString(rows));
          } else {
            rows.forEach(
                row ->
                    out.println(
                        row.values().stream()
                            .map(Object::toString)
                            .collect(Collectors.joining("  "))));
          }
          out.flush();
        });
  }
}
