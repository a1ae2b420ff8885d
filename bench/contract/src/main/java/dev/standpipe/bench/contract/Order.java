package dev.standpipe.bench.contract;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the orchestrator asks a child for: a kind of trial, a database, a shape and some numbers. A
 * line of text on the wire. Immutable.
 */
public record Order(Trial.Kind trial, String url, Shape shape, Map<String, Long> numbers) {
  /** How many runs to start beforehand. */
  public static final String RUNS = "runs";

  /** How many steps to wait for; all of them if it is not given. */
  public static final String STEPS = "steps";

  /** How long to measure at most, in milliseconds. */
  public static final String LIMIT_MS = "limit_ms";

  /** How many calls to make. */
  public static final String CALLS = "calls";

  /** How many calls to begin in a second; 0 for one after the other. */
  public static final String RATE = "rate";

  /** How many runs to start at once; 1 for one by one. */
  public static final String BATCH = "batch";

  /** How many threads to start them from. */
  public static final String THREADS = "threads";

  /** How many pipelines without runs the worker serves beside the one that has them. */
  public static final String IDLE_PIPELINES = "idle_pipelines";

  /** How many schedules the worker declares beside, each of which fires once an hour. */
  public static final String SCHEDULES = "schedules";

  /** Whether bodies never return. */
  public static final String HOLD = "hold";

  /** Whether dead workers are to be noticed as soon as by default. */
  public static final String DEFAULT_RECOVERY = "default_recovery";

  /** Whether dead workers are to be noticed as soon as is sensible. */
  public static final String QUICK_RECOVERY = "quick_recovery";

  /** A copy with one more number. */
  public Order with(String name, long value) {
    Map<String, Long> more = new LinkedHashMap<>(numbers);
    more.put(name, value);
    return new Order(trial, url, shape, Map.copyOf(more));
  }

  /** The same on another database. */
  public Order on(String other) {
    return new Order(trial, other, shape, numbers);
  }

  /** A number, or what to take if it is not given. */
  public long number(String name, long otherwise) {
    return numbers.getOrDefault(name, otherwise);
  }

  /** Reads what {@link #toLine} wrote. */
  static Order parse(String line) {
    String[] parts = line.split("\t", -1);
    Map<String, Long> numbers = new LinkedHashMap<>();
    for (int i = 3; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      numbers.put(parts[i].substring(0, equals), Long.valueOf(parts[i].substring(equals + 1)));
    }
    return new Order(
        Trial.Kind.valueOf(parts[0]), parts[1], Shape.parse(parts[2]), Map.copyOf(numbers));
  }

  /** One line of text. */
  public String toLine() {
    StringBuilder line =
        new StringBuilder(trial.name()).append('\t').append(url).append('\t').append(shape);
    numbers.forEach((name, value) -> line.append('\t').append(name).append('=').append(value));
    return line.toString();
  }
}
