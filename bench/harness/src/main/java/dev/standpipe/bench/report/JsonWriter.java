package dev.standpipe.bench.report;

import dev.standpipe.bench.contest.Entrant;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes a report for programs: {@code {"workloads": {name: {contender: {figure: …}}}, …}}. */
public final class JsonWriter {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
  private static final MathContext DIGITS = new MathContext(6);

  private JsonWriter() {}

  /** Writes it. */
  public static String write(Report report) {
    ObjectNode root = JSON.createObjectNode();
    ObjectNode workloads = root.putObject("workloads");
    report
        .workloads()
        .keySet()
        .forEach(
            name ->
                report
                    .results(name)
                    .forEach((entrant, result) -> write(workloads, name, entrant, result)));
    ObjectNode machine = root.putObject("machine");
    report.machine().facts().forEach(machine::put);
    ObjectNode contenders = machine.putObject("contenders");
    report
        .introductions()
        .forEach(
            (entrant, introduction) ->
                contenders
                    .putObject(entrant.title())
                    .put("version", introduction.version())
                    .put("configuration", introduction.configuration()));
    return JSON.writeValueAsString(root) + "\n";
  }

  private static void write(ObjectNode workloads, String name, Entrant entrant, Result result) {
    ObjectNode node = workloads.withObjectProperty(name).putObject(entrant.title());
    result.cannot().ifPresent(reason -> node.put("cannot", reason));
    for (Map.Entry<String, Double> figure : result.figures().entrySet()) {
      if (!figure.getValue().isNaN()) {
        node.put(figure.getKey(), round(figure.getValue()));
      }
    }
  }

  private static BigDecimal round(double value) {
    return new BigDecimal(new BigDecimal(value).round(DIGITS).toPlainString());
  }
}
