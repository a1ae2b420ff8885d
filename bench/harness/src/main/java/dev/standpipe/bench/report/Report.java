package dev.standpipe.bench.report;

import dev.standpipe.bench.contest.Entrant;
import dev.standpipe.bench.contest.Round;
import dev.standpipe.bench.contest.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** All results of a run. Results may be added from several threads. */
public final class Report {
  private static final JsonMapper JSON = new JsonMapper();

  private final Map<String, Workload> workloads = new LinkedHashMap<>();
  private final Map<String, Map<Entrant, Result>> results = new LinkedHashMap<>();
  private final Map<Entrant, Introduction> introductions = new EnumMap<>(Entrant.class);
  private final List<Comparison> comparisons = new ArrayList<>();
  private final Machine machine;

  /** An empty one. */
  public Report(Machine machine) {
    this.machine = machine;
  }

  /** Where it was measured. */
  public Machine machine() {
    return machine;
  }

  /** Adds what a contender says of itself. */
  public void introduce(Entrant entrant, String hello) {
    JsonNode json = JSON.readTree(hello);
    introductions.put(
        entrant,
        new Introduction(json.path("version").asString(), json.path("configuration").asString()));
  }

  /** Adds a result. */
  public synchronized void add(Workload workload, Entrant entrant, Result result) {
    workloads.put(workload.name(), workload);
    results
        .computeIfAbsent(workload.name(), name -> new EnumMap<>(Entrant.class))
        .put(entrant, result);
  }

  /** Compares what was measured in these rounds, which took turns. */
  public void compare(Workload workload, List<Round> now, List<Round> before) {
    comparisons.addAll(Comparison.of(workload, now, before));
  }

  /** How the code at hand did beside an older commit, if there was one. */
  public List<Comparison> comparisons() {
    return Collections.unmodifiableList(comparisons);
  }

  /** The workloads that were run, by name. */
  public Map<String, Workload> workloads() {
    return Collections.unmodifiableMap(workloads);
  }

  /** What contenders say of themselves. */
  public Map<Entrant, Introduction> introductions() {
    return Collections.unmodifiableMap(introductions);
  }

  /** The results of a workload. */
  public Map<Entrant, Result> results(String workload) {
    return Collections.unmodifiableMap(results.getOrDefault(workload, Map.of()));
  }

  /** A figure, if it was measured. */
  public OptionalDouble figure(String workload, Entrant entrant, String name) {
    return Optional.ofNullable(results(workload).get(entrant))
        .map(result -> result.figure(name))
        .orElse(OptionalDouble.empty());
  }

  /** How many times as high a rate is as another, if both were measured. */
  public OptionalDouble ratio(String workload, Entrant entrant, String other, Entrant to) {
    OptionalDouble a = figure(workload, entrant, "per_second");
    OptionalDouble b = figure(other, to, "per_second");
    return a.isPresent() && b.isPresent()
        ? OptionalDouble.of(a.getAsDouble() / b.getAsDouble())
        : OptionalDouble.empty();
  }
}
