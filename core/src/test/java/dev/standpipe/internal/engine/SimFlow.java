package dev.standpipe.internal.engine;

import dev.standpipe.Retry;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.internal.coordinate.Model;
import dev.standpipe.internal.coordinate.Model.Step;
import dev.standpipe.internal.coordinate.RandomGraph;
import dev.standpipe.internal.coordinate.RandomGraph.Kind;
import dev.standpipe.internal.coordinate.RandomGraph.Move;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A random pipeline, how its bodies behave, and what must come of it: by the model, which knows
 * only who depends on whom.
 */
final class SimFlow {
  private static final int MOST_RETRIES = 2;
  private static final Kind[] KINDS = Kind.values();

  /** How a try ends. */
  enum Ending {
    RETURNS,
    THROWS,
    HANGS
  }

  private final String name;
  private final List<Move> moves = new ArrayList<>();
  private final int troublesOneIn;
  private final long seed;

  SimFlow(String name, long seed, int mostMoves) {
    Random dice = new Random(seed);
    this.name = name;
    this.seed = seed;
    this.troublesOneIn = 2 + dice.nextInt(12);
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

  /** The same for every try of a node, whoever asks. */
  private Random dice(String node, int salt) {
    return new Random(seed * 31 + node.hashCode() * 17L + salt);
  }

  Retry retry(String node) {
    Random dice = dice(node, -1);
    return Retry.fixed(Duration.ofSeconds(dice.nextInt(3))).limit(dice.nextInt(MOST_RETRIES + 1));
  }

  /** How often a step fails before it succeeds; one more than it may be retried if never. */
  int failures(Model model, Step step) {
    return model.hasBody(step.key()) ? failures(step) : 0;
  }

  private int failures(Step step) {
    Random dice = dice(step.key(), step.index());
    int limit = retry(step.key()).limit();
    if (dice.nextInt(troublesOneIn) > 0) {
      return 0;
    }
    return dice.nextInt(8) == 0 ? limit + 1 : Math.min(limit, 1 + dice.nextInt(MOST_RETRIES));
  }

  Ending ending(Step step, int attempt) {
    if (attempt > failures(step)) {
      return Ending.RETURNS;
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

  /** What an expand makes of its input. */
  static List<String> elements(String node, String input, int count) {
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      elements.add(node + ":" + i + ":" + Integer.toHexString(String.valueOf(input).hashCode()));
    }
    return elements;
  }

  /** Whether a run of this comes to its end, or halts at a step that never succeeds. */
  boolean succeeds(Model model) {
    return model.all().stream().allMatch(s -> failures(model, s) <= retry(s.key()).limit());
  }

  /** The value of every step, and of every element under its expand's key and its index. */
  static Map<Step, String> values(Model model, String input) {
    Map<Step, String> values = new HashMap<>();
    List<String> run = model.keys().stream().filter(key -> !model.isSkipped(key)).toList();
    for (String key : run) {
      if (key.equals(GraphNode.INPUT_KEY)) {
        values.put(new Step(key, 0), input);
      } else if (model.kind(key) == Model.Kind.DIVERT) {
        values.put(new Step(key, 0), model.taken(key));
      } else if (model.kind(key) == Model.Kind.BARRIER) {
        values.put(new Step(key, 0), null);
      } else if (model.kind(key) == Model.Kind.CONVERGE) {
        values.put(new Step(key, 0), values.get(new Step(model.end(key), 0)));
      } else if (model.kind(key) == Model.Kind.EXPAND) {
        model.steps(key).forEach(step -> expand(model, values, step));
      } else {
        model
            .steps(key)
            .forEach(step -> values.put(step, value(step, inputs(model, values, step))));
      }
    }
    return values;
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
