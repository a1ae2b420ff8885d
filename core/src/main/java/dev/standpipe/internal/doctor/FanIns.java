package dev.standpipe.internal.doctor;

import dev.standpipe.definition.Graph;
import dev.standpipe.definition.Link;
import dev.standpipe.definition.Vertex;
import dev.standpipe.operate.Finding;
import dev.standpipe.operate.Finding.Severity;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds fan-ins that wait for something that can no longer come. */
final class FanIns {
  private final Reading reading;
  private final Map<String, Graph> graphs = new HashMap<>();

  FanIns(Reading reading) {
    this.reading = reading;
  }

  private record WaitingFanIn(Object run, String node, String graph) {}

  /** A sample of those that wait: each must have a live task among what leads to it. */
  Optional<Finding> examine() throws SQLException {
    List<WaitingFanIn> all =
        reading.list(
            "waiting_fan_ins",
            Map.of(),
            row ->
                new WaitingFanIn(
                    row.getObject("run_id"), row.getString("node"), row.getString("graph")));
    long hopeless = 0;
    String example = "";
    for (WaitingFanIn waiting : all) {
      if (!isReachable(waiting)) {
        hopeless++;
        example = waiting.run() + " " + waiting.node();
      }
    }
    return hopeless == 0 ? Optional.empty() : Optional.of(finding(hopeless, example));
  }

  private static Finding finding(long count, String example) {
    return new Finding(
        "fan_in_without_parents",
        Severity.VIOLATION,
        "%d fan-ins wait for steps of which none is live (I1, I5), such as %s"
            .formatted(count, example),
        Check.REPORT);
  }

  private boolean isReachable(WaitingFanIn waiting) throws SQLException {
    Graph graph = graphs.computeIfAbsent(waiting.graph(), Graph::parse);
    List<String> live =
        reading.list("live_nodes", Map.of("run", waiting.run()), row -> row.getString("node"));
    Set<Vertex> seen = new HashSet<>();
    String target = waiting.node().replaceFirst("#.*", "");
    for (String node : live) {
      Vertex from = graph.find(node);
      if (from == null || leadsTo(from, target, seen)) {
        return true;
      }
    }
    return false;
  }

  private static boolean leadsTo(Vertex from, String node, Set<Vertex> seen) {
    for (Link link : from.links()) {
      Vertex target = link.target();
      boolean there =
          target != null
              && (target.key().equals(node) || (seen.add(target) && leadsTo(target, node, seen)));
      if (there) {
        return true;
      }
    }
    return false;
  }
}
