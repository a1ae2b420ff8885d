package dev.standpipe.definition;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The canonical JSON of a graph. */
final class GraphJson {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  private GraphJson() {}

  static String write(Graph graph) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("pipeline", graph.pipeline());
    root.put("output", graph.output());
    ArrayNode nodes = root.putArray("nodes");
    for (GraphNode node : graph.nodes()) {
      ObjectNode entry = nodes.addObject();
      entry.put("key", node.key());
      entry.put("kind", node.kind().name().toLowerCase(Locale.ROOT));
      node.inputs().forEach(entry.putArray("inputs")::add);
      if (!node.after().isEmpty()) {
        node.after().stream().sorted().forEach(entry.putArray("after")::add);
      }
      Arm arm = node.arm();
      if (arm != null) {
        entry.putObject("arm").put("divert", arm.divert()).put("name", arm.name());
      }
      if (!node.arms().isEmpty()) {
        node.arms().forEach(entry.putArray("arms")::add);
      }
      if (node.width() > 0) {
        entry.put("width", node.width());
      }
    }
    if (!graph.endCallbacks().isEmpty()) {
      ArrayNode endCallbacks = root.putArray("endCallbacks");
      graph
          .endCallbacks()
          .all()
          .forEach(one -> endCallbacks.add(one.name().toLowerCase(Locale.ROOT)));
    }
    if (!graph.endCallbacks().compensated().isEmpty()) {
      graph.endCallbacks().compensated().forEach(root.putArray("compensated")::add);
    }
    Strategies strategies = graph.strategies();
    if (!strategies.equals(Strategies.HALTING)) { // which is what an older definition means
      root.put("strategy", word(strategies.pipeline()));
      ObjectNode steps = root.putObject("strategies");
      strategies.steps().forEach((key, strategy) -> steps.put(key, word(strategy)));
    }
    return MAPPER.writeValueAsString(root);
  }

  static Graph read(String json) {
    try {
      Graph graph = parse(json);
      graph.vertex(graph.output());
      if (graph.topological().size() != graph.nodes().size()) {
        throw new IllegalArgumentException("some nodes can never start");
      }
      return graph;
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "This is not the stored graph of a pipeline: " + e.getMessage(), e);
    }
  }

  private static Graph parse(String json) {
    JsonNode root = MAPPER.readTree(json);
    List<GraphNode> nodes = new ArrayList<>();
    for (JsonNode entry : root.required("nodes")) {
      nodes.add(
          new GraphNode(
              entry.required("key").stringValue(),
              NodeKind.valueOf(entry.required("kind").stringValue().toUpperCase(Locale.ROOT)),
              strings(entry.path("inputs")),
              strings(entry.path("after")),
              arm(entry.path("arm")),
              strings(entry.path("arms")),
              entry.path("width").asInt(0)));
    }
    return Graph.of(
        root.required("pipeline").stringValue(),
        nodes,
        root.required("output").stringValue(),
        endCallbacks(root),
        strategies(root));
  }

  private static Strategies strategies(JsonNode root) {
    if (root.path("strategy").isMissingNode()) {
      return Strategies.HALTING;
    }
    Map<String, Strategy> steps = new HashMap<>();
    root.path("strategies")
        .properties()
        .forEach(step -> steps.put(step.getKey(), strategy(step.getValue())));
    return new Strategies(strategy(root.path("strategy")), steps);
  }

  private static Strategy strategy(JsonNode word) {
    return Strategy.valueOf(word.stringValue().toUpperCase(Locale.ROOT));
  }

  private static String word(Strategy strategy) {
    return strategy.name().toLowerCase(Locale.ROOT);
  }

  private static EndCallbacks endCallbacks(JsonNode root) {
    List<EndCallback> all =
        strings(root.path("endCallbacks")).stream()
            .map(word -> EndCallback.valueOf(word.toUpperCase(Locale.ROOT)))
            .toList();
    return new EndCallbacks(all, strings(root.path("compensated")));
  }

  private static @Nullable Arm arm(JsonNode entry) {
    return entry.isMissingNode()
        ? null
        : new Arm(entry.required("divert").stringValue(), entry.required("name").stringValue());
  }

  static String hash(String json) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(json.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  private static List<String> strings(JsonNode array) {
    List<String> strings = new ArrayList<>();
    array.forEach(entry -> strings.add(entry.stringValue()));
    return strings;
  }
}
