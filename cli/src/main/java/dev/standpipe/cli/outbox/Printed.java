package dev.standpipe.cli.outbox;

import dev.standpipe.outbox.DeadLetter;
import dev.standpipe.outbox.OutboxEvent;
import dev.standpipe.outbox.SinkInfo;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** Sinks and events as they are printed. */
final class Printed {
  private Printed() {}

  static Map<String, Object> of(SinkInfo sink) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("sink", sink.name());
    map.put("pending", sink.pending());
    map.put("oldest", sink.oldest().map(Object::toString).orElse("none"));
    map.put("dead", sink.dead());
    sink.paused().ifPresent(paused -> map.put("paused", paused.by() + ": " + paused.reason()));
    return map;
  }

  static Map<String, Object> of(OutboxEvent event) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("event", event.id().toString());
    map.put("type", event.type());
    map.put("subject", event.subject());
    map.put("created", event.createdAt().toString());
    map.put("tries", event.delivery().number() - 1);
    return map;
  }

  static Map<String, Object> of(DeadLetter dead) {
    Map<String, Object> map = of(dead.event());
    map.put("tries", dead.tries());
    map.put("died", dead.diedAt().toString());
    map.put("error", dead.error());
    return map;
  }

  /** One line for each, or a JSON array. */
  static void print(PrintWriter out, List<Map<String, Object>> rows, boolean json) {
    if (json) {
      out.println(JsonMapper.shared().writeValueAsString(rows));
    } else {
      rows.forEach(
          row ->
              out.println(
                  row.values().stream().map(Object::toString).collect(Collectors.joining("  "))));
    }
    out.flush();
  }
}
