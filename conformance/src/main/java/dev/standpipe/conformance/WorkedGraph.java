package dev.standpipe.conformance;

import dev.standpipe.Flow;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.StepContext;
import dev.standpipe.definition.Strategy;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A small graph whose course is worked out by hand: which steps fail, and which wait in their body
 * until another has had its turn. A step's value names it and what it got.
 */
final class WorkedGraph {
  private record Sketch(List<String> inputs, Optional<Strategy> strategy, String waitsFor) {}

  private final String name;
  private final Strategy strategy;
  private final Map<String, Sketch> sketches = new LinkedHashMap<>();
  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final Map<String, CountDownLatch> turns = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> ran = new ConcurrentLinkedQueue<>();

  WorkedGraph(String name, Strategy strategy) {
    this.name = name;
    this.strategy = strategy;
  }

  /** A step after these; after the run's input if there are none. */
  WorkedGraph step(String key, String... inputs) {
    return put(key, new Sketch(List.of(inputs), Optional.empty(), ""));
  }

  /** A step that says what its failure means. */
  WorkedGraph step(String key, Strategy said, String... inputs) {
    return put(key, new Sketch(List.of(inputs), Optional.of(said), ""));
  }

  /** A step whose body lasts until the other has had its turn, or somebody {@link #release}s it. */
  WorkedGraph slow(String key, String waitsFor) {
    return put(key, new Sketch(List.of(), Optional.empty(), waitsFor));
  }

  private WorkedGraph put(String key, Sketch sketch) {
    sketches.put(key, sketch);
    turns.put(key, new CountDownLatch(1));
    return this;
  }

  WorkedGraph fails(String... keys) {
    failing.addAll(Set.of(keys));
    return this;
  }

  /** From here on, nothing fails. */
  void mend() {
    failing.clear();
  }

  /** Acts as if a step had had its turn. */
  void release(String key) {
    turns.computeIfAbsent(key, k -> new CountDownLatch(1)).countDown();
  }

  /** The steps whose bodies were called, each as often as it was. */
  List<String> ran() {
    return List.copyOf(ran);
  }

  Pipeline<String, String> pipeline() {
    return Pipeline.define(name, String.class, String.class, this::wire);
  }

  private Node<String> wire(Flow<String> flow) {
    flow.strategy(strategy);
    Map<String, Node<String>> nodes = new LinkedHashMap<>();
    Node<String> last = flow.input();
    for (Map.Entry<String, Sketch> entry : sketches.entrySet()) {
      List<Node<String>> inputs = new ArrayList<>();
      entry.getValue().inputs().forEach(key -> inputs.add(nodes.get(key)));
      if (inputs.isEmpty()) {
        inputs.add(flow.input());
      }
      last = Node.all(inputs).step(entry.getKey(), String.class, this::live).retry(Retry.never());
      entry.getValue().strategy().ifPresent(last::strategy);
      nodes.put(entry.getKey(), last);
    }
    return last;
  }

  private String live(List<String> inputs, StepContext ctx) throws InterruptedException {
    String key = ctx.node();
    ran.add(key);
    String waitsFor = Objects.requireNonNull(sketches.get(key)).waitsFor();
    if (!waitsFor.isEmpty()) {
      CountDownLatch turn = turns.computeIfAbsent(waitsFor, k -> new CountDownLatch(1));
      if (!turn.await(EngineFixture.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError(waitsFor + " never had its turn");
      }
    }
    release(key);
    if (failing.contains(key)) {
      throw new IllegalStateException(key + " fails on purpose");
    }
    return key + inputs;
  }

  /** What became of each step that has a row. */
  static Map<String, StepState> states(Run<?> run) {
    Map<String, StepState> states = new TreeMap<>();
    for (StepInfo step : run.steps()) {
      states.put(step.node() + (step.index() > 0 ? step.index() : ""), step.state());
    }
    return states;
  }
}
