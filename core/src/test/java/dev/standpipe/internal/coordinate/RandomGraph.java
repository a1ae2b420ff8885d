package dev.standpipe.internal.coordinate;

import dev.standpipe.EffectBody;
import dev.standpipe.Flow;
import dev.standpipe.Loop;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.StepBody;
import dev.standpipe.StepContext;
import dev.standpipe.definition.Strategy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A pipeline wired by a list of moves, and beside it the {@link Model} of what was wired. Any list
 * of moves makes a valid pipeline.
 */
public final class RandomGraph {
  /** What the steps do and how they are set up. */
  public interface Bodies {
    /** The value of a step. */
    String value(List<String> inputs, StepContext ctx) throws Exception;

    /** One turn of a step that is a loop. */
    default Loop<String, String> turn(String state, StepContext ctx) throws Exception {
      return Loop.done(value(Collections.singletonList(state), ctx));
    }

    /** A body with this code, which may write in the transaction that its step is settled in. */
    default <T> StepBody<T, String> body(String key, StepBody<T, String> code) {
      return code;
    }

    /** So many elements. */
    List<String> elements(String input, int count, StepContext ctx) throws Exception;

    /** The arm to take, which is this one. */
    default String arm(String arm, StepContext ctx) throws Exception {
      return arm;
    }

    /** Says what follows the end of a run. */
    default void follow(Flow<String> flow) {}

    /** How a step is undone, if it is. */
    default Optional<EffectBody<String>> compensation(String key) {
      return Optional.empty();
    }

    /** What happens when a step fails. */
    default Retry retry(String key) {
      return Retry.standard();
    }

    /** What a failure means, for all steps. */
    default Strategy strategy() {
      return Strategy.HALT;
    }

    /** Whether a failure may not halt, so that no expand may be inside another or read a stream. */
    default boolean goesOn() {
      return strategy() != Strategy.HALT;
    }

    /** What the failure of a step means, if it says so. */
    default Optional<Strategy> strategy(String key) {
      return Optional.empty();
    }

    /** How long a step waits before it begins. */
    default Duration delay(String key) {
      return Duration.ZERO;
    }

    /** The value of the only step of a run that is called. */
    default String called(String input, StepContext ctx) throws Exception {
      return "called on " + input;
    }

    /** How long an await waits that expires. */
    default Duration within(String key) {
      return Duration.ofSeconds(5);
    }

    /** How long a step may take. */
    default Duration timeout(String key) {
      return Duration.ofHours(1);
    }
  }

  /** The only step of what calls call. */
  public static final String CALLED = "called";

  /** What an await that expired goes on with. */
  public static final String OTHERWISE = "no signal";

  /** How many turns stay visible of a step that is a loop. */
  public static final int KEPT = 2;

  private final Pipeline<String, String> pipeline;
  private final Model model;

  RandomGraph(List<Move> moves) {
    this("random", moves, new NotRun());
  }

  /** With strategies that go on after failures, for the pipeline and for some of its steps. */
  static RandomGraph lenient(List<Move> moves, long seed) {
    return new RandomGraph("random", moves, new NotRun.Lenient(seed));
  }

  /** A pipeline of this name that runs these bodies. */
  public RandomGraph(String name, List<Move> moves, Bodies bodies) {
    Pipeline<String, String> called =
        Pipeline.define(
            name + "-called",
            String.class,
            String.class,
            flow -> flow.input().step(CALLED, String.class, bodies::called));
    ModelNodes nodes = new ModelNodes();
    this.pipeline =
        Pipeline.define(
            name,
            String.class,
            String.class,
            flow -> new MovePlayer(flow, nodes, bodies, called).play(moves));
    this.model = new Model(nodes);
  }

  /** What was wired. */
  public Pipeline<String, String> pipeline() {
    return pipeline;
  }

  /** What it must do. */
  public Model model() {
    return model;
  }
}
