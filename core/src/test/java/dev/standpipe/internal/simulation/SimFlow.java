package dev.standpipe.internal.simulation;

import dev.standpipe.Callback;
import dev.standpipe.EffectBody;
import dev.standpipe.Flow;
import dev.standpipe.Retry;
import dev.standpipe.RunEnd;
import dev.standpipe.definition.EndCallback;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.Strategy;
import dev.standpipe.internal.coordinate.Model;
import dev.standpipe.internal.coordinate.Model.Step;
import dev.standpipe.internal.coordinate.Move;
import dev.standpipe.internal.coordinate.Move.Kind;
import dev.standpipe.internal.coordinate.RandomGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A random pipeline, how its bodies behave, and what must come of it: by the model, which knows
 * only who depends on whom.
 */
final class SimFlow {
  private static final int MOST_RETRIES = 2;
  private static final int LAST_SNOOZE = 3;
  private static final Kind[] KINDS = Kind.values();
  private static final List<Strategy> STRATEGIES = List.of(Strategy.values());
  private static final List<EndCallback> CALLBACKS =
      List.of(
          EndCallback.ON_SUCCESS,
          EndCallback.ON_FAILURE,
          EndCallback.ON_HALT,
          EndCallback.ON_COMPLETE);

  /** How a try ends. */
  enum Ending {
    RETURNS,
    THROWS,
    HANGS,
    SNOOZES,
    FAILS_NOW
  }

  private final String name;
  private final List<Move> moves = new ArrayList<>();
  private final int troublesOneIn;
  private final long seed;
  private final boolean plain;
  private final List<EndCallback> callbacks = new ArrayList<>();
  private final boolean compensates;
  private final Set<String> writers = new HashSet<>();

  SimFlow(String name, long seed, int mostMoves) {
    Random dice = new Random(seed);
    this.name = name;
    this.seed = seed;
    this.troublesOneIn = 2 + dice.nextInt(12);
    this.plain = dice.nextBoolean();
    for (EndCallback callback : CALLBACKS) {
      if (dice.nextInt(4) == 0) {
        callbacks.add(callback);
      }
    }
    this.compensates = dice.nextInt(3) == 0;
    int size = 1 + dice.nextInt(mostMoves);
    for (int i = 0; i < size; i++) {
      Kind kind = KINDS[dice.nextInt(KINDS.length)];
      moves.add(new Move(kind, dice.nextInt(100), dice.nextInt(100), dice.nextInt(4)));
    }
  }

  /** The pipeline with bodies of one process. */
  RandomGraph wire(RandomGraph.Bodies bodies) {
    return new RandomGraph(name, moves, bodies);
  }

  /** Has some ends followed by a callback, which fails as steps do. */
  void follow(Flow<String> flow, EffectBody<RunEnd> body) {
    for (EndCallback callback : callbacks) {
      Callback added =
          switch (callback) {
            case ON_SUCCESS -> flow.onSuccess(body);
            case ON_FAILURE -> flow.onFailure(body);
            case ON_HALT -> flow.onHalt(body);
            case ON_COMPLETE -> flow.onComplete(body);
            case PUBLISH -> flow.publish("end");
            case COMPENSATE -> throw new IllegalStateException("not a callback");
          };
      added.retry(retry(callback.word())).timeout(Duration.ofHours(1));
    }
  }

  /** Whether a step can be undone. */
  boolean compensates(String node) {
    return compensates && dice(node, -2).nextBoolean();
  }

  /** The same for every try of a node, whoever asks. */
  private Random dice(String node, int salt) {
    return new Random(seed * 31 + node.hashCode() * 17L + salt);
  }

  Retry retry(String node) {
    Random dice = dice(node, -1);
    return Retry.fixed(Duration.ofSeconds(dice.nextInt(3))).limit(dice.nextInt(MOST_RETRIES + 1));
  }

  /** What a failure means: in half of all flows that it halts, whichever step it is. */
  Strategy strategy() {
    return plain ? Strategy.HALT : STRATEGIES.get(dice(name, -2).nextInt(STRATEGIES.size()));
  }

  /** Whether a failure may not halt. */
  boolean goesOn() {
    return !plain;
  }

  Optional<Strategy> strategy(String node) {
    Random dice = dice(node, -3);
    return plain || dice.nextBoolean()
        ? Optional.empty()
        : Optional.of(STRATEGIES.get(dice.nextInt(STRATEGIES.size())));
  }

  /** Whether a step, if it has a body, ends its run early; in most flows none does. */
  boolean finishes(Step step) {
    return seed % 3 == 0 && dice(step.key(), step.index() + 77).nextInt(12) == 0;
  }

  /** The steps that end a run early. */
  List<Step> finishers(Model model) {
    return model.all().stream()
        .filter(s -> model.hasBody(s.key()) && finishes(s) && !model.isFailing(s))
        .toList();
  }

  /** What a run that such a step has ended has as its result. */
  static String output(Step step) {
    return "ended by " + step;
  }

  /** Whether a step, if it has a body, leaves something in the run's context. */
  boolean setsContext(Step step) {
    return dice(step.key(), step.index() + 55).nextInt(4) == 0;
  }

  /** Has a step of the kind that can write a row in the transaction that it is settled in. */
  boolean letWrite(String node) {
    boolean writes = dice(node, -9).nextInt(3) == 0;
    if (writes) {
      writers.add(node);
    }
    return writes;
  }

  /** Whether a step writes a row of its own. */
  boolean writesRow(String node) {
    return writers.contains(node);
  }

  /** Whether a step, if it has a body, emits an event. */
  boolean emits(Step step) {
    return dice(step.key(), step.index() + 77).nextInt(3) == 0;
  }

  /** The steps that leave something in the run's context. */
  List<Step> setters(Model model) {
    return model.all().stream().filter(s -> model.hasBody(s.key()) && setsContext(s)).toList();
  }

  /** How many calls a step makes that are committed one by one; most make none. */
  int calls(Step step) {
    Random dice = dice(step.key(), step.index() + 33);
    return dice.nextInt(3) == 0 ? 1 + dice.nextInt(3) : 0;
  }

  /** Whether a step keeps how far it has come. */
  boolean checkpoints(Step step) {
    return dice(step.key(), step.index() + 44).nextInt(5) == 0;
  }

  /** How long a step waits: a delay for a while, of the others few. */
  Duration delay(String node) {
    int seconds = dice(node, -2).nextInt(Model.isDelay(node) ? 6 : 40) - 1;
    return Duration.ofSeconds(Math.max(0, Model.isDelay(node) ? seconds : seconds - 35));
  }

  Duration within(String node) {
    return Duration.ofSeconds(1 + dice(node, -2).nextInt(20));
  }

  /** How often a step fails before it succeeds; one more than it may be retried if never. */
  int failures(Model model, Step step) {
    return model.hasBody(step.key()) ? failures(step) : 0;
  }

  /** How many failed tries of a step stay in the ledger: of a loop, those of its last turns. */
  int recordedFailures(Model model, Step step) {
    int turns = Math.min(turns(step), RandomGraph.KEPT) + 1;
    return turns * failures(model, step);
  }

  private int failures(Step step) {
    if (step.key().equals(RandomGraph.CALLED)) {
      return 0;
    }
    Random dice = dice(step.key(), step.index());
    int limit = retry(step.key()).limit();
    if (dice.nextInt(troublesOneIn) > 0) {
      return 0;
    }
    return dice.nextInt(8) == 0 ? limit + 1 : Math.min(limit, 1 + dice.nextInt(MOST_RETRIES));
  }

  /** Only its first tries may snooze: each has a higher token. */
  Ending ending(Step step, int attempt, long token) {
    boolean early = token <= LAST_SNOOZE;
    if (early && dice(step.key(), 1_000 + step.index()).nextInt(4 * troublesOneIn) == 0) {
      return Ending.SNOOZES;
    }
    if (attempt > failures(step)) {
      return Ending.RETURNS;
    }
    if (failures(step) > retry(step.key()).limit() && step.key().hashCode() % 2 == 0) {
      return Ending.FAILS_NOW;
    }
    return dice(step.key(), step.index() * 10 + attempt).nextInt(3) == 0
        ? Ending.HANGS
        : Ending.THROWS;
  }

  /** What a step makes of its inputs. */
  static String value(Step step, List<String> inputs) {
    int hash = (step + inputs.toString()).hashCode();
    return step.key() + "." + step.index() + "." + Integer.toHexString(hash);
  }

  /** How many turns of a loop another one follows. */
  static int turns(Step step) {
    return Model.isLoop(step.key()) ? Math.floorMod(step.toString().hashCode(), 5) : 0;
  }

  /** What a turn of a loop makes of its state. */
  static String state(Step step, int turn, String state) {
    return step.key() + "~" + turn + "~" + Integer.toHexString(String.valueOf(state).hashCode());
  }

  /** How long the next turn of a loop waits: in most flows not at all. */
  Duration pause(Step step, int turn) {
    return Duration.ofSeconds(Math.max(0, dice(step.key(), 300 + turn).nextInt(8) - 4));
  }

  /** What a loop, or any other step, makes of its inputs in the end. */
  private static String lastValue(Step step, List<String> inputs) {
    List<String> state = inputs;
    for (int turn = 1; turn <= turns(step); turn++) {
      state = List.of(state(step, turn, state.get(0)));
    }
    return value(step, state);
  }

  /** What a run that is called makes of its input. */
  static String called(String input) {
    return "called on " + input;
  }

  /** What an expand makes of its input. */
  static List<String> elements(String node, String input, int count) {
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      elements.add(node + ":" + i + ":" + Integer.toHexString(String.valueOf(input).hashCode()));
    }
    return elements;
  }

  /** The pipeline as its clients know it, with the steps that never succeed. */
  Model model(RandomGraph wired) {
    Model model = wired.model();
    model.failing(
        model.possible().stream()
            .filter(step -> failures(model, step) > retry(step.key()).limit())
            .collect(Collectors.toSet()));
    return model;
  }

  /** How a run of this ends that nobody stops. */
  static String end(Model model) {
    Set<Step> failed = new HashSet<>(model.all());
    failed.removeIf(step -> !model.isFailing(step));
    if (failed.isEmpty()) {
      return "succeeded";
    }
    return failed.stream().anyMatch(step -> model.halts(step.key())) ? "halted" : "failed";
  }

  /**
   * The value of every step, and of every element under its expand's key and its index, given what
   * its awaits have heard.
   */
  static Map<Step, String> values(Model model, String input, Map<Step, String> heard) {
    Map<Step, String> values = new HashMap<>();
    values.put(new Step(GraphNode.INPUT_KEY, 0), input);
    for (String key : model.keys()) {
      for (Step step : succeeded(model, key)) {
        List<String> inputs = inputs(model, values, step);
        if (model.kind(key) == Model.Kind.DIVERT) {
          values.put(step, model.taken(step));
        } else if (model.isAwait(key)) {
          if (heard.containsKey(step)) {
            values.put(step, heard.get(step));
          }
        } else if (model.isCall(key)) {
          values.put(step, called(inputs.get(0)));
        } else if (model.kind(key) == Model.Kind.BARRIER) {
          values.put(step, null);
        } else if (model.kind(key) == Model.Kind.CONVERGE) {
          values.put(step, values.get(model.end(step)));
        } else if (model.kind(key) == Model.Kind.EXPAND) {
          expand(model, values, step);
        } else {
          values.put(step, Model.isDelay(key) ? inputs.get(0) : lastValue(step, inputs));
        }
      }
    }
    return values;
  }

  private static List<Step> succeeded(Model model, String key) {
    return key.equals(GraphNode.INPUT_KEY)
        ? List.of()
        : model.steps(key).stream()
            .filter(step -> model.fate(step) == Model.Fate.RUNS && !model.isFailing(step))
            .toList();
  }

  private static void expand(Model model, Map<Step, String> values, Step step) {
    String from = inputs(model, values, step).get(0);
    List<Step> elements = model.elementsOf(step);
    List<String> texts = elements(step.key(), from, elements.size());
    for (int i = 0; i < texts.size(); i++) {
      values.put(elements.get(i), texts.get(i));
    }
  }

  private static List<String> inputs(Model model, Map<Step, String> values, Step step) {
    List<String> inputs = new ArrayList<>();
    model.inputs(step).forEach(input -> inputs.add(values.get(input)));
    return inputs;
  }
}
