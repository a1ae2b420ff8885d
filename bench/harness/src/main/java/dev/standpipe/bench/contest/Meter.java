package dev.standpipe.bench.contest;

import dev.standpipe.bench.server.Gauge;
import dev.standpipe.bench.server.Reading;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Puts together what a contender says of a round and what the database says. */
final class Meter {
  private static final JsonMapper JSON = new JsonMapper();
  private static final double MILLION = 1_000_000;

  private final Gauge gauge;
  private final String database;
  private final int staying;
  private final Reading before;
  private final double commitsBefore;

  /**
   * Starts to count.
   *
   * @param staying how many sessions of the orchestrator's own are in the database
   */
  Meter(Gauge gauge, String database, int staying) throws SQLException {
    this.gauge = gauge;
    this.database = database;
    this.staying = staying;
    this.commitsBefore = gauge.commits(database, staying);
    this.before = gauge.read(database);
  }

  /** What the database did so far; to be asked for the moment the contender is done. */
  Reading used() throws SQLException {
    return gauge.read(database).since(before);
  }

  /** The round, once the contender has left the database. */
  Round round(String result, Reading used) throws SQLException {
    return round(parse(result), used);
  }

  Round round(Round said, Reading used) throws SQLException {
    double units = said.figures().getOrDefault("all_units", said.figure("units"));
    double commits = gauge.commits(database, staying) - commitsBefore;
    return said.with("commits_per_step", commits / units)
        .with("wal_bytes_per_step", used.walBytes() / units)
        .with("round_trips_per_step", used.statements() / units)
        .with("db_cpu_s_per_million", used.cpuSeconds() / units * MILLION);
  }

  /** What a contender says of a round. */
  static Round parse(String result) {
    JsonNode json = JSON.readTree(result);
    double units = json.path("units").asDouble();
    List<Long> latencies = json.path("latencies_us").valueStream().map(JsonNode::asLong).toList();
    return new Round(Map.of(), latencies)
        .with("units", units)
        .with("all_units", json.path("all_units").asDouble(units))
        .with("per_second", units / json.path("seconds").asDouble())
        .with("jvm_cpu_s_per_million", json.path("jvm_cpu_s").asDouble() / units * MILLION)
        .with(
            "slowest_10s_per_second",
            json.path("windows_per_second")
                .valueStream()
                .mapToDouble(JsonNode::asDouble)
                .min()
                .orElse(Double.NaN))
        .with("peak_heap_mb", json.path("peak_heap_mb").asDouble());
  }
}
