package dev.standpipe.internal.simulation;

import dev.standpipe.EffectBody;
import dev.standpipe.Flow;
import dev.standpipe.Pipeline;
import dev.standpipe.RunOptions;
import dev.standpipe.StepContext;
import dev.standpipe.definition.Strategy;
import dev.standpipe.internal.coordinate.Model;
import dev.standpipe.internal.coordinate.Model.Step;
import dev.standpipe.internal.coordinate.RandomGraph;
import dev.standpipe.internal.engine.client.Starter;
import dev.standpipe.internal.port.Store;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A run that somebody wants: tried under its key until a start has returned. */
final class SimStart {
  final SimFlow flow;
  final String key;
  private final String input;
  private final List<SimStart> upstreams;
  private final boolean takesResult;
  private final RandomGraph wired;
  private final Model model;
  private final int priority;
  private final Duration delay;
  private final Duration deadline;
  private Map<Step, String> heard = Map.of();
  private @Nullable String early;
  private final Map<Step, String> taken = new HashMap<>();
  private final Map<Step, Set<String>> perhaps = new HashMap<>();
  private UUID run;
  private Cancel cancel = Cancel.NEVER;
  private int revives;
  private @Nullable SimStart original;

  /** Whether it was canceled. */
  enum Cancel {
    NEVER,
    PERHAPS,
    DONE
  }

  /** Some wait for one or two of the starts before them, and some of those take its result. */
  SimStart(SimFlow flow, String key, List<SimStart> before, Random dice) {
    this(
        flow,
        key,
        before,
        Duration.ofSeconds(dice.nextInt(5) == 0 ? 1 + dice.nextInt(40) : 0),
        dice);
  }

  private SimStart(
      SimFlow flow, String key, List<SimStart> before, Duration deadline, Random dice) {
    this.flow = flow;
    this.key = key;
    Set<SimStart> some = new LinkedHashSet<>();
    if (!before.isEmpty() && dice.nextInt(3) == 0) {
      some.add(before.get(dice.nextInt(before.size())));
      some.add(before.get(dice.nextInt(before.size())));
    }
    this.upstreams = List.copyOf(some);
    this.takesResult = some.size() == 1 && dice.nextBoolean();
    this.input = "input of " + key;
    this.wired = flow.wire(new OfClients(flow));
    this.model = flow.model(wired);
    this.priority = dice.nextInt(3) - 1;
    this.delay = Duration.ofSeconds(dice.nextInt(4) == 0 ? dice.nextInt(20) : 0);
    this.deadline = deadline;
  }

  /** A run that has left the way of another. */
  static SimStart fork(SimStart original, String key, UUID run, Random dice) {
    SimStart fork = new SimStart(original.flow, key, List.of(), Duration.ZERO, dice);
    fork.original = original;
    fork.acknowledged(run);
    return fork;
  }

  boolean isFork() {
    return original != null;
  }

  Pipeline<String, String> pipeline() {
    return wired.pipeline();
  }

  Model model() {
    return model;
  }

  /** Whether it can be started: what it waits for must be there. */
  boolean isPossible() {
    return upstreams.stream().allMatch(SimStart::isAcknowledged);
  }

  List<SimStart> upstreams() {
    return upstreams;
  }

  /** What it is started with, or gets from the run it waits for, once that has succeeded. */
  String input() {
    if (original != null) {
      return original.input();
    }
    return takesResult ? upstreams.get(0).result() : input;
  }

  private String result() {
    return early != null ? early : values().get(new Step(pipeline().graph().output(), 0));
  }

  /** Notes what its awaits have heard, on which the rest depends. */
  void heard(Map<Step, String> signals) {
    this.heard = signals;
  }

  /** Notes with what a step has ended it early, on which those depend that take its result. */
  void endedEarly(String output) {
    this.early = output;
  }

  /** What its steps must come to. */
  Map<Step, String> values() {
    return SimFlow.values(model(), input(), heard);
  }

  /** Starts it, alone or chained to others. */
  UUID start(Starter.StartBatch batch, Store store) {
    RunOptions options = options(RunOptions.key(key));
    if (upstreams.isEmpty()) {
      batch.add(input, options);
      return batch.start(store).get(0);
    }
    return takesResult
        ? batch.then(store, upstreams.get(0).run(), options).run()
        : batch.after(store, upstreams.stream().map(SimStart::run).toList(), input, options).run();
  }

  private RunOptions options(RunOptions keyed) {
    RunOptions options = keyed.priority(priority).delay(delay);
    return hasDeadline() ? options.deadline(deadline) : options;
  }

  boolean hasDeadline() {
    return !deadline.isZero();
  }

  void acknowledged(UUID id) {
    run = id;
  }

  boolean isAcknowledged() {
    return run != null;
  }

  UUID run() {
    return run;
  }

  /** A signal for it was tried; whether it was taken is not known unless the call returned. */
  void signaled(Step await, String value, boolean returned) {
    if (returned) {
      taken.put(await, value);
    } else {
      perhaps.computeIfAbsent(await, key -> new HashSet<>()).add(value);
    }
  }

  /** The awaits that are not known to have a signal. */
  List<Step> unsignaled() {
    return model().awaits().stream().filter(await -> !taken.containsKey(await)).toList();
  }

  boolean mayHaveHeard(Step await, String value) {
    if (taken.containsKey(await)) {
      return taken.get(await).equals(value);
    }
    return perhaps.getOrDefault(await, Set.of()).contains(value)
        || (model().expires(await.key()) && value.equals(RandomGraph.OTHERWISE))
        || (original != null && original.mayHaveHeard(await, value));
  }

  /** A cancel of it was tried; whether it took effect is not known unless it returned. */
  void canceling(boolean returned) {
    cancel = returned || cancel == Cancel.DONE ? Cancel.DONE : Cancel.PERHAPS;
  }

  Cancel cancel() {
    return cancel;
  }

  /** A revive of it was tried; if it did not return, it may still be canceled, or not. */
  void reviving(boolean returned) {
    revives++;
    if (cancel != Cancel.NEVER) {
      cancel = returned ? Cancel.NEVER : Cancel.PERHAPS;
    }
  }

  int revives() {
    return revives;
  }

  /** A client has the same graph and runs nothing of it. */
  private record OfClients(SimFlow flow) implements RandomGraph.Bodies {
    @Override
    public Strategy strategy() {
      return flow.strategy();
    }

    @Override
    public boolean goesOn() {
      return flow.goesOn();
    }

    @Override
    public Optional<Strategy> strategy(String node) {
      return flow.strategy(node);
    }

    @Override
    public void follow(Flow<String> wired) {
      flow.follow(
          wired,
          (end, ctx) -> {
            throw new UnsupportedOperationException();
          });
    }

    @Override
    public Optional<EffectBody<String>> compensation(String key) {
      return flow.compensates(key)
          ? Optional.of(
              (value, ctx) -> {
                throw new UnsupportedOperationException();
              })
          : Optional.empty();
    }

    @Override
    public String value(List<String> inputs, StepContext ctx) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<String> elements(String input, int count, StepContext ctx) {
      throw new UnsupportedOperationException();
    }
  }
}
