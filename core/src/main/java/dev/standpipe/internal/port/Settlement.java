package dev.standpipe.internal.port;

import dev.standpipe.HaltReason;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.StepError;
import dev.standpipe.internal.outbox.NewEvent;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One finished try at a step and everything that follows from it, worked out in advance.
 *
 * @param ref its task, as it was claimed or handed over
 * @param node the key of its node
 * @param index its index
 * @param lane its lane
 * @param priority its priority
 * @param attempt its number
 * @param elapsedMicros how long the body ran
 * @param verdict how it ended
 * @param effects what it does besides, in this order; see {@link StepEffect#isWrittenWith}
 */
public record Settlement(
    TaskRef ref,
    String node,
    int index,
    int lane,
    int priority,
    int attempt,
    long elapsedMicros,
    Verdict verdict,
    List<StepEffect> effects) {

  /** A settlement without effects. */
  public Settlement(
      TaskRef ref,
      String node,
      int index,
      int lane,
      int priority,
      int attempt,
      long elapsedMicros,
      Verdict verdict) {
    this(ref, node, index, lane, priority, attempt, elapsedMicros, verdict, List.of());
  }

  /** Gives a task back: that asserts the token alone, the row knows the rest. */
  public static Settlement release(TaskRef ref) {
    return new Settlement(ref, "", 0, 0, 0, 0, 0, new Released());
  }

  public UUID run() {
    return ref.run();
  }

  public long task() {
    return ref.id();
  }

  public long token() {
    return ref.token();
  }

  /** The same, with nothing that follows kept by the owner: it is ready for all. */
  public Settlement unkept() {
    return new Settlement(
        ref, node, index, lane, priority, attempt, elapsedMicros, verdict.unkept(), effects);
  }

  /** Whether there are events among its effects. */
  public boolean emits() {
    return !effects.isEmpty() && effects.stream().anyMatch(EmittedEvent.class::isInstance);
  }

  /** What it changes in its run. */
  public Changes changes() {
    return verdict.changes();
  }

  /**
   * Something that a step does besides having a result: written with its settlement, or not at all.
   * The store has one writer for each kind.
   */
  public sealed interface StepEffect permits ContextEntry, TurnEntry, EmittedEvent, CheckpointDone {
    /** About how many bytes there are to write. */
    long bytes();

    /**
     * Whether it is written if the try ends so: most are there only if their step has ended, and
     * some outlive a try that failed or was put off.
     */
    default boolean isWrittenWith(Verdict verdict) {
      return verdict instanceof Advancing;
    }
  }

  /**
   * A value for the run's context.
   *
   * @param key its key
   * @param value its text
   * @param replaces whether it may replace another value
   */
  public record ContextEntry(String key, String value, boolean replaces) implements StepEffect {
    @Override
    public long bytes() {
      return value.length();
    }
  }

  /**
   * A turn of a loop that another one follows.
   *
   * @param turn its number, from 1
   * @param state what it hands on to the next, encoded
   * @param trimFrom the oldest turn that is stored
   * @param trimTo the newest turn that goes with this one's commit, with the failed tries up to it;
   *     before {@code trimFrom} if none goes
   */
  public record TurnEntry(int turn, String state, int trimFrom, int trimTo) implements StepEffect {
    @Override
    public long bytes() {
      return state.length();
    }

    /** Whether older turns go. */
    public boolean trims() {
      return trimTo >= trimFrom;
    }
  }

  /** An event for the outbox. */
  public record EmittedEvent(NewEvent event) implements StepEffect {
    @Override
    public long bytes() {
      return event.bytes();
    }
  }

  /** The step needs no checkpoint any more. */
  public record CheckpointDone() implements StepEffect {
    @Override
    public long bytes() {
      return 0;
    }

    /** An expand that goes on may be tried again. */
    @Override
    public boolean isWrittenWith(Verdict verdict) {
      return verdict instanceof Advancing && !(verdict instanceof Expanding);
    }
  }

  /** How a try ended. */
  public sealed interface Verdict permits Advancing, Retried, Snoozed, Failed, Waiting, Released {
    /** What it changes in the run. */
    default Changes changes() {
      return Changes.NONE;
    }

    /** Whether the task stays, for the next step or for another try. */
    default boolean keepsTask() {
      return true;
    }

    /** How long the task waits before it may be taken again. */
    default long delayMicros() {
      return 0;
    }

    /** How the step has failed, if it has. */
    default @Nullable Failed failure() {
      return null;
    }

    /** The same, with nothing that follows kept by the owner. */
    default Verdict unkept() {
      return this;
    }
  }

  /** The step has ended, and others follow. */
  public sealed interface Advancing extends Verdict
      permits Succeeded, Skipped, Tolerated, Expanding, Turning, Finished {
    @Override
    Changes changes();

    @Override
    default boolean keepsTask() {
      return changes().next() != null;
    }
  }

  /**
   * What the end of a step changes in its run.
   *
   * @param results the values to record; of an expand, a header with the index {@link #header} and
   *     one value for each element
   * @param skips the steps to record as skipped or lost
   * @param next the step that takes over the task's row, or {@code null} if the row goes
   * @param tasks the tasks that start besides
   * @param bumps the counters that change
   * @param endsRun whether the run has succeeded with it; never, if it may have failed: see {@link
   *     Bump}
   */
  public record Changes(
      List<Value> results,
      List<SkippedStep> skips,
      @Nullable Next next,
      List<NewTasks> tasks,
      List<Bump> bumps,
      boolean endsRun) {
    /** None. */
    public static final Changes NONE = results(List.of());

    /** Values to record, and nothing else. */
    static Changes results(List<Value> results) {
      return new Changes(results, List.of(), null, List.of(), List.of(), false);
    }

    /** Whether nothing is changed but the task itself and, perhaps, one value is recorded. */
    public boolean isSimple() {
      return tasks.isEmpty() && bumps.isEmpty() && skips.isEmpty() && results.size() <= 1;
    }

    /** The same, with nothing that follows kept by the owner. */
    Changes unkept() {
      return new Changes(
          results,
          skips,
          next == null ? null : next.unkept(),
          tasks.stream().map(NewTasks::unkept).toList(),
          bumps.stream().map(Bump::unkept).toList(),
          endsRun);
    }
  }

  /** The step is finished; if it is a divert, others are skipped with it. */
  public record Succeeded(Changes changes) implements Advancing {
    /** Nothing is skipped. */
    public Succeeded(
        List<Value> results,
        @Nullable Next next,
        List<NewTasks> tasks,
        List<Bump> bumps,
        boolean endsRun) {
      this(new Changes(results, List.of(), next, tasks, bumps, endsRun));
    }

    @Override
    public Succeeded unkept() {
      return new Succeeded(changes.unkept());
    }
  }

  /** The step is skipped or lost, as others may be with it: its turn came, but not to run. */
  public record Skipped(Changes changes) implements Advancing {
    @Override
    public Skipped unkept() {
      return new Skipped(changes.unkept());
    }
  }

  /**
   * The step failed for good, and its run goes on.
   *
   * @param failure how it failed
   * @param halts whether the run will end halted, and not failed
   * @param changes what is lost with it, and what follows
   */
  public record Tolerated(Failed failure, boolean halts, Changes changes) implements Advancing {
    @Override
    public Tolerated unkept() {
      return new Tolerated(failure, halts, changes.unkept());
    }
  }

  /**
   * The step is an expand that has yielded elements and goes on: it keeps its task and its attempt,
   * with a new token.
   *
   * @param changes its next elements, at least one; the step itself as the next one; what starts
   */
  public record Expanding(Changes changes) implements Advancing {
    public Expanding(List<Value> results, Next next, List<NewTasks> tasks, List<Bump> bumps) {
      this(new Changes(results, List.of(), next, tasks, bumps, false));
    }

    @Override
    public Expanding unkept() {
      return new Expanding(changes.unkept());
    }
  }

  /**
   * The step is a loop, and another turn follows: it keeps its task, with a new token and its first
   * attempt ahead. What the turn hands on is its {@link TurnEntry}.
   *
   * @param next the step itself
   * @param delayMicros how long its next turn waits
   */
  public record Turning(Next next, long delayMicros) implements Advancing {
    @Override
    public Changes changes() {
      return new Changes(List.of(), List.of(), next, List.of(), List.of(), false);
    }

    @Override
    public Turning unkept() {
      return new Turning(next.unkept(), delayMicros);
    }
  }

  /**
   * The step is finished, and has ended its run early: nothing follows, the rest is dropped.
   *
   * @param results as of a step that {@link Succeeded}
   * @param output the run's result, encoded
   * @param graceMicros how long the run's other bodies have before they are cut off
   */
  public record Finished(List<Value> results, String output, long graceMicros)
      implements Advancing {
    @Override
    public Changes changes() {
      return Changes.results(results);
    }
  }

  /**
   * The try failed and another follows.
   *
   * @param outcome how it failed
   * @param error the error
   * @param delayMicros how long to wait before the next try
   */
  public record Retried(AttemptOutcome outcome, StepError error, long delayMicros)
      implements Verdict {}

  /**
   * The body asked to be run again later: the same attempt, nothing counted.
   *
   * @param delayMicros how long to wait before that
   */
  public record Snoozed(long delayMicros) implements Verdict {}

  /**
   * The step failed for good: its run halts.
   *
   * @param outcome how it failed
   * @param error the error
   * @param reason why there is no other try
   * @param expand whether it is an expand, which may have elements where its result would be
   */
  public record Failed(AttemptOutcome outcome, StepError error, HaltReason reason, boolean expand)
      implements Verdict {
    @Override
    public Failed failure() {
      return this;
    }

    /** Not an expand. */
    public Failed(AttemptOutcome outcome, StepError error, HaltReason reason) {
      this(outcome, error, reason, false);
    }
  }

  /**
   * The step waits for something from outside: a signal makes its task ready, or the end of its
   * time does, whichever is first.
   *
   * @param delayMicros how long it waits at most
   */
  public record Waiting(long delayMicros) implements Verdict {}

  /** The step was not tried, or not to its end: the task becomes ready again, nothing counted. */
  public record Released() implements Verdict {}

  /**
   * A value to record.
   *
   * @param node the key of its node
   * @param index its index
   * @param value its text
   * @param element whether it is an element of an expand
   */
  public record Value(String node, int index, String value, boolean element) {}

  /**
   * A step to record as one that does not run.
   *
   * @param node the key of its node
   * @param index its index; below zero for all elements of an expand that did not run
   * @param lost whether it is lost with a failure, and not skipped with an arm
   */
  public record SkippedStep(String node, int index, boolean lost) {
    /** One that is skipped. */
    public SkippedStep(String node, int index) {
      this(node, index, false);
    }
  }

  /**
   * A step that takes over the row of the finished one.
   *
   * @param node the key of its node
   * @param index its index
   * @param leased whether it stays leased to the owner, or becomes ready for all
   */
  public record Next(String node, int index, boolean leased) {
    private Next unkept() {
      return new Next(node, index, false);
    }
  }

  /**
   * Tasks of one node with consecutive indexes.
   *
   * @param node the key of the node
   * @param task the id of the first task; those that follow count up
   * @param first the index of the first task
   * @param count how many there are
   * @param leased how many of them, from the first, are leased to the owner at once
   */
  public record NewTasks(String node, long task, int first, int count, int leased) {
    private NewTasks unkept() {
      return new NewTasks(node, task, first, count, 0);
    }
  }

  /**
   * A change to the arrivals a target waits for.
   *
   * @param node the key of the target, {@link #END} or {@link #CLOSE}
   * @param index the target's index
   * @param need how many it waits for before any has come
   * @param delta what to add to those remaining
   * @param task the id of the task to create with the last arrival; not used for the end
   * @param leased whether that task is leased to the owner at once
   */
  public record Bump(String node, int index, int need, int delta, long task, boolean leased) {
    /** The key that stands for the end of a run that succeeds with it. */
    public static final String END = "$end";

    /** The key that stands for the end of a run that may have tolerated failures. */
    public static final String CLOSE = "$close";

    /** A target that is not below an expand. */
    public Bump(String node, int need, int delta, long task, boolean leased) {
      this(node, 0, need, delta, task, leased);
    }

    private Bump unkept() {
      return new Bump(node, index, need, delta, task, false);
    }

    /** What the target's counter is called: no key has a hash sign in it. */
    public String counter() {
      return counter(node, index);
    }

    /** What the counter of the target with this key and index is called. */
    public static String counter(String node, int index) {
      return index == 0 ? node : node + "#" + index;
    }
  }

  /** The index under which an expand's own result is kept, beside those of its elements. */
  public static int header(int index) {
    return -1 - index;
  }
}
