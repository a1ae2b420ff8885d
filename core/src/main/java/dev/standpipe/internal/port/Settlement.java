package dev.standpipe.internal.port;

import dev.standpipe.HaltReason;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.StepError;
import dev.standpipe.internal.port.Tasks.Part;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One finished try at a step and everything that follows from it, worked out in advance.
 *
 * @param run its run
 * @param task the id of its task
 * @param token the token it was claimed with
 * @param node the key of its node
 * @param index its index
 * @param lane its lane
 * @param priority its priority
 * @param attempt its number
 * @param elapsedMicros how long the body ran
 * @param verdict how it ended
 * @param context what it sets in the run's context; written only if it succeeded
 * @param part where its task is, if that has, or had when it was claimed, no row of its own
 */
public record Settlement(
    UUID run,
    long task,
    long token,
    String node,
    int index,
    int lane,
    int priority,
    int attempt,
    long elapsedMicros,
    Verdict verdict,
    List<Entry> context,
    @Nullable Part part) {

  /** A settlement that leaves the run's context alone, of a task with a row of its own. */
  public Settlement(
      UUID run,
      long task,
      long token,
      String node,
      int index,
      int lane,
      int priority,
      int attempt,
      long elapsedMicros,
      Verdict verdict) {
    this(
        run,
        task,
        token,
        node,
        index,
        lane,
        priority,
        attempt,
        elapsedMicros,
        verdict,
        List.of(),
        null);
  }

  /** The same of a task that may share a row with others. */
  public Settlement in(@Nullable Part part) {
    return with(verdict, part);
  }

  /** The same, with nothing that follows kept by the owner: it is ready for all. */
  public Settlement unkept() {
    return verdict instanceof Advancing ok ? with(ok.unkept(), part) : this;
  }

  private Settlement with(Verdict verdict, @Nullable Part part) {
    return new Settlement(
        run,
        task,
        token,
        node,
        index,
        lane,
        priority,
        attempt,
        elapsedMicros,
        verdict,
        context,
        part);
  }

  /**
   * A value for the run's context.
   *
   * @param key its key
   * @param value its text
   * @param replaces whether it may replace another value
   */
  public record Entry(String key, String value, boolean replaces) {}

  /** How a try ended. */
  public sealed interface Verdict permits Advancing, Retried, Snoozed, Failed, Waiting, Released {}

  /** The step has ended, and others follow. */
  public sealed interface Advancing extends Verdict
      permits Succeeded, Skipped, Tolerated, Expanding, Finished {
    /** The values to record. */
    List<Value> results();

    /** The steps to record as skipped or lost. */
    List<Skip> skips();

    /** The step that takes over the task's row, or {@code null} if the row goes. */
    @Nullable Next next();

    /** The tasks that start besides. */
    List<NewTasks> tasks();

    /** The counters that change. */
    List<Bump> bumps();

    /** Whether the run has succeeded with it; never, if it may have failed: see {@link Bump}. */
    boolean endsRun();

    /** The same, with nothing that follows kept by the owner. */
    Advancing unkept();
  }

  private static @Nullable Next unkept(@Nullable Next next) {
    return next == null ? null : next.unkept();
  }

  private static List<NewTasks> unkeptTasks(List<NewTasks> tasks) {
    return tasks.stream().map(NewTasks::unkept).toList();
  }

  private static List<Bump> unkeptBumps(List<Bump> bumps) {
    return bumps.stream().map(Bump::unkept).toList();
  }

  /**
   * The step is finished.
   *
   * @param results its value; for an expand, a header with the index {@link #header} and one value
   *     for each element
   * @param skips the steps that are skipped with it, if it is a divert
   * @param next the step that takes over the task's row, or {@code null} if the row goes
   * @param tasks the tasks that start besides
   * @param bumps the counters that change
   * @param endsRun whether the run has succeeded with it
   */
  public record Succeeded(
      List<Value> results,
      List<Skip> skips,
      @Nullable Next next,
      List<NewTasks> tasks,
      List<Bump> bumps,
      boolean endsRun)
      implements Advancing {
    /** Nothing is skipped. */
    public Succeeded(
        List<Value> results,
        @Nullable Next next,
        List<NewTasks> tasks,
        List<Bump> bumps,
        boolean endsRun) {
      this(results, List.of(), next, tasks, bumps, endsRun);
    }

    @Override
    public Succeeded unkept() {
      return new Succeeded(
          results, skips, Settlement.unkept(next), unkeptTasks(tasks), unkeptBumps(bumps), endsRun);
    }
  }

  /**
   * The step is skipped or lost: its turn came, but not to run.
   *
   * @param skips the step itself, and those that are skipped or lost with it
   * @param next the step that takes over the task's row, or {@code null} if the row goes
   * @param tasks the tasks that start besides
   * @param bumps the counters that change
   * @param endsRun whether the run has succeeded with it
   */
  public record Skipped(
      List<Skip> skips,
      @Nullable Next next,
      List<NewTasks> tasks,
      List<Bump> bumps,
      boolean endsRun)
      implements Advancing {
    @Override
    public List<Value> results() {
      return List.of();
    }

    @Override
    public Skipped unkept() {
      return new Skipped(
          skips, Settlement.unkept(next), unkeptTasks(tasks), unkeptBumps(bumps), endsRun);
    }
  }

  /**
   * The step failed for good, and its run goes on.
   *
   * @param failure how it failed
   * @param halts whether the run will end halted, and not failed
   * @param skips the steps that are lost with it
   * @param next the step that takes over the task's row, or {@code null} if the row goes
   * @param tasks the tasks that start besides
   * @param bumps the counters that change
   */
  public record Tolerated(
      Failed failure,
      boolean halts,
      List<Skip> skips,
      @Nullable Next next,
      List<NewTasks> tasks,
      List<Bump> bumps)
      implements Advancing {
    @Override
    public List<Value> results() {
      return List.of();
    }

    @Override
    public boolean endsRun() {
      return false;
    }

    @Override
    public Tolerated unkept() {
      return new Tolerated(
          failure, halts, skips, Settlement.unkept(next), unkeptTasks(tasks), unkeptBumps(bumps));
    }
  }

  /**
   * The step is an expand that has yielded elements and goes on: it keeps its task and its attempt,
   * with a new token.
   *
   * @param results its next elements, at least one
   * @param next the step itself
   * @param tasks the tasks that start for them
   * @param bumps the counters that change
   */
  public record Expanding(List<Value> results, Next next, List<NewTasks> tasks, List<Bump> bumps)
      implements Advancing {
    @Override
    public List<Skip> skips() {
      return List.of();
    }

    @Override
    public boolean endsRun() {
      return false;
    }

    @Override
    public Expanding unkept() {
      return new Expanding(results, next.unkept(), unkeptTasks(tasks), unkeptBumps(bumps));
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
    public List<Skip> skips() {
      return List.of();
    }

    @Override
    public @Nullable Next next() {
      return null;
    }

    @Override
    public List<NewTasks> tasks() {
      return List.of();
    }

    @Override
    public List<Bump> bumps() {
      return List.of();
    }

    @Override
    public boolean endsRun() {
      return false;
    }

    @Override
    public Finished unkept() {
      return this;
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
    /** Not an expand. */
    public Failed(AttemptOutcome outcome, StepError error, HaltReason reason) {
      this(outcome, error, reason, false);
    }
  }

  /**
   * The step waits for something from outside: a signal makes its task ready, or the end of its
   * time does, whichever is first.
   *
   * @param longestMicros how long it waits at most
   */
  public record Waiting(long longestMicros) implements Verdict {}

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
  public record Skip(String node, int index, boolean lost) {
    /** One that is skipped. */
    public Skip(String node, int index) {
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

  /**
   * What the tokens of tasks count up from that start with this one. They go on above those of all
   * the times before the run was last brought back, as those do that it was brought back with.
   */
  public static long era(long token) {
    return token - token % Quarantines.REVIVED;
  }

  /** The index under which an expand's own result is kept, beside those of its elements. */
  public static int header(int index) {
    return -1 - index;
  }
}
