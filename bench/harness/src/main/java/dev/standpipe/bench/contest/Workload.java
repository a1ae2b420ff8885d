package dev.standpipe.bench.contest;

import dev.standpipe.bench.contract.Order;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Trial;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One thing that contenders are asked to do. Immutable; each method returns a changed copy.
 *
 * @param name its name in the results
 * @param group what it is part of: a workload of the same name, with variants
 * @param title what it is, for the reader
 * @param style how rounds of it go
 * @param order what is asked for, without a database
 * @param sizes how many runs each contender is given: as many as it does in some seconds
 * @param absent why contenders are not asked
 * @param jvmOptions options of the contenders' JVMs
 * @param repeats how many rounds, if it is not as many as of all others
 * @param numbers what a style needs to know
 */
public record Workload(
    String name,
    String group,
    String title,
    Style style,
    Order order,
    Map<Entrant, Integer> sizes,
    Map<Entrant, String> absent,
    List<String> jvmOptions,
    Optional<Integer> repeats,
    Map<String, Integer> numbers) {
  /** How rounds go. */
  public enum Style {
    /** A fresh database, one JVM. */
    PLAIN,
    /** The same while a session holds an old snapshot. */
    SNAPSHOT,
    /** The same after the tables were analyzed while they were empty. */
    ANALYZED,
    /** All rounds in one database, which is filled once. */
    BACKLOG,
    /** An SQLite file instead of a database server. */
    SQLITE,
    /** Several JVMs on one database. */
    PROCESSES,
    /** A JVM is killed, and another takes over. */
    RECOVER,
    /** The same with a supervisor that sees it die. */
    SUPERVISED,
    /** Several JVMs on one database, with nothing to do. */
    IDLE
  }

  /** What the results count. */
  public enum Unit {
    /** Steps of runs. */
    STEPS,
    /** Runs. */
    RUNS
  }

  /** How many processes, in {@link #numbers}. */
  static final String PROCESSES = "processes";

  /** How long a JVM gets warm at least, in {@link #numbers}. */
  static final String WARM_UP_MS = "warm_up_ms";

  /** How many runs wait, in {@link #numbers}. */
  static final String WAITING = "waiting";

  private static final long PATIENCE_MS = 60_000;
  private static final List<String> JVM_OPTIONS = List.of("-Xmx512m");

  static Workload of(String name, String group, String title, Trial.Kind trial, Shape shape) {
    Order order = new Order(trial, "", shape, Map.of());
    return new Workload(
        name,
        group,
        title,
        Style.PLAIN,
        order,
        Map.of(),
        Map.of(),
        JVM_OPTIONS,
        Optional.empty(),
        Map.of());
  }

  Workload size(Entrant entrant, int runs) {
    Map<Entrant, Integer> more = new EnumMap<>(Entrant.class);
    more.putAll(sizes);
    more.put(entrant, runs);
    return new Workload(
        name, group, title, style, order, more, absent, jvmOptions, repeats, numbers);
  }

  /** The same with the older commit beside the code at hand. */
  public Workload withBefore() {
    return size(Entrant.BEFORE, sizes.getOrDefault(Entrant.STANDPIPE, 0));
  }

  Workload absent(Entrant entrant, String reason) {
    Map<Entrant, String> more = new EnumMap<>(Entrant.class);
    more.putAll(absent);
    more.put(entrant, reason);
    return new Workload(
        name, group, title, style, order, sizes, more, jvmOptions, repeats, numbers);
  }

  Workload style(Style other) {
    return new Workload(
        name, group, title, other, order, sizes, absent, jvmOptions, repeats, numbers);
  }

  Workload with(String number, long value) {
    Order more = order.with(number, value);
    return new Workload(
        name, group, title, style, more, sizes, absent, jvmOptions, repeats, numbers);
  }

  Workload number(String number, int value) {
    Map<String, Integer> more = new LinkedHashMap<>(numbers);
    more.put(number, value);
    return new Workload(
        name, group, title, style, order, sizes, absent, jvmOptions, repeats, Map.copyOf(more));
  }

  Workload jvmOptions(String... options) {
    return new Workload(
        name, group, title, style, order, sizes, absent, List.of(options), repeats, numbers);
  }

  Workload repeats(int times) {
    return new Workload(
        name, group, title, style, order, sizes, absent, jvmOptions, Optional.of(times), numbers);
  }

  /** What the results count. */
  public Unit unit() {
    return switch (order.trial()) {
      case DRAIN, SERVE, SOAK -> Unit.STEPS;
      case LATENCY, START, FILL -> Unit.RUNS;
    };
  }

  /** Whether the results are latencies. */
  public boolean isLatency() {
    return order.trial() == Trial.Kind.LATENCY;
  }

  /** Whether the results are times until work went on. */
  public boolean isRecovery() {
    return style == Style.RECOVER || style == Style.SUPERVISED;
  }

  /** Whether the results are what it costs to do nothing. */
  public boolean isIdle() {
    return style == Style.IDLE;
  }

  /** The order for one contender. Those that are measured against each other are let finish. */
  Order orderFor(Entrant entrant) {
    Order sized = order.with(Order.RUNS, sizes.getOrDefault(entrant, 0));
    return entrant.finishes() && order.trial() == Trial.Kind.DRAIN
        ? sized.with(Order.LIMIT_MS, PATIENCE_MS)
        : sized;
  }

  int number(String number) {
    return numbers.getOrDefault(number, 1);
  }
}
