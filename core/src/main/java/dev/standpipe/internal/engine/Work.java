package dev.standpipe.internal.engine;

import dev.standpipe.Pipeline;
import dev.standpipe.StepDefinition;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import dev.standpipe.internal.coordinate.Fate;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.Tasks.Claimed;
import dev.standpipe.spi.Tasks.Held;
import dev.standpipe.spi.Tasks.Part;
import dev.standpipe.spi.Tasks.ResultKey;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One try at a step, from the moment this process holds it until it is settled. Whoever ends it
 * first wins: the body that returns, the time-out, a lost lease or a stop.
 */
final class Work {
  /** Where a try is. */
  enum State {
    QUEUED,
    RUNNING,
    ENDED
  }

  /** A step that this many processes have died with is a suspect. */
  private static final int SUSPECT = 2;

  /** Has the ids of parts, which are all even or all odd, differ in every bit. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  final UUID owner;
  final Pipeline<?, ?> pipeline;
  final Vertex vertex;
  final UUID run;
  final long task;
  final int index;
  final int lane;
  final int priority;
  final long token;
  final int attempt;
  final int crashes;
  final @Nullable Part part;

  private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);
  private final AtomicReference<@Nullable Yielding> yielding = new AtomicReference<>();
  private final AtomicBoolean aside = new AtomicBoolean();
  private volatile @Nullable Thread thread;
  private volatile boolean canceled;
  private volatile long heldSince;
  private @Nullable List<@Nullable String> inputs;
  private volatile Fate fate = Fate.RUNS;

  private Work(UUID owner, Pipeline<?, ?> pipeline, Vertex vertex, Claimed task) {
    this.owner = owner;
    this.pipeline = pipeline;
    this.vertex = vertex;
    this.run = task.run();
    this.task = task.id();
    this.index = task.index();
    this.lane = task.lane();
    this.priority = task.priority();
    this.token = task.token();
    this.attempt = task.attempt();
    this.crashes = task.crashes();
    this.part = task.part();
  }

  /** The try a claimed task asks for. */
  static Work of(UUID owner, Pipeline<?, ?> pipeline, Claimed task) {
    Work work = new Work(owner, pipeline, pipeline.graph().vertex(task.node()), task);
    if (task.input() != null) { // what a run begins with gets nothing else
      work.inputs = Collections.nCopies(work.vertex.inputs().size(), task.input());
    }
    return work;
  }

  /** The first try at a step that follows from this one. */
  Work follow(Vertex next, long nextTask, int nextIndex, long nextToken) {
    Claimed claimed =
        new Claimed(run, nextTask, next.key(), nextIndex, lane, priority, nextToken, 1, 0, true, 0);
    return new Work(owner, pipeline, next, claimed);
  }

  /** What an expand that has yielded some of its elements goes on with, at the same attempt. */
  Work goOn() {
    Claimed claimed =
        new Claimed(run, task, vertex.key(), index, lane, priority, token + 1, attempt, 0, true, 0);
    Work more = new Work(owner, pipeline, vertex, claimed);
    more.inputs = inputs;
    more.yielding.set(yielding.getAndSet(null));
    return more;
  }

  /** What an expand yields elements from, once it has begun to. */
  @Nullable Yielding yielding() {
    return yielding.get();
  }

  void yielding(Yielding open) {
    yielding.set(open);
  }

  /** Lets go of what elements are read from. */
  void close() {
    Yielding open = yielding.getAndSet(null);
    if (open != null) {
      open.close();
    }
  }

  StepDefinition definition() {
    return pipeline.step(vertex.key()).orElseThrow();
  }

  Event.Step step() {
    return new Event.Step(run, vertex.key(), index, token, attempt);
  }

  ResultKey resultKey() {
    return new ResultKey(run, vertex.key(), index);
  }

  /** What its inputs are the results of; a collapse's are not fetched by key. */
  List<ResultKey> inputKeys() {
    int at = vertex.scope() == null ? 0 : index;
    return vertex.inputs().stream().map(input -> new ResultKey(run, input.key(), at)).toList();
  }

  /** The same for all that is best settled together: what shares a row, or a run. */
  int affinity() {
    return part == null
        ? run.hashCode()
        : part.bundle().hashCode() ^ Long.hashCode(part.id() * SPREAD);
  }

  Held key() {
    return new Held(run, task, token);
  }

  /** The encoded values of its inputs, once they are known. */
  @Nullable List<@Nullable String> inputs() {
    return inputs;
  }

  void inputs(List<@Nullable String> encoded) {
    this.inputs = encoded;
  }

  /** Notes whether the step is to run. */
  void fate(Fate fate) {
    this.fate = fate;
  }

  Fate fate() {
    return fate;
  }

  /** Starts it on this thread; {@code false} if it has ended already. */
  boolean begin() {
    thread = Thread.currentThread();
    boolean begun = state.compareAndSet(State.QUEUED, State.RUNNING);
    if (!begun) {
      leave(); // or an interrupt for this would reach what the thread does next
    }
    return begun;
  }

  /** Notes whether it holds no room; {@code false} if that is as it was. */
  boolean setAside(boolean without) {
    return aside.compareAndSet(!without, without);
  }

  /** Lets it wait for another turn; {@code false} if it has ended. */
  boolean pause() {
    return state.compareAndSet(State.RUNNING, State.QUEUED);
  }

  /** Ends it; {@code false} if somebody else has. */
  boolean end() {
    return state.getAndSet(State.ENDED) != State.ENDED;
  }

  /** Notes when this process got hold of it. */
  void held(long at) {
    heldSince = at;
  }

  long heldSince() {
    return heldSince;
  }

  boolean isQueued() {
    return state.get() == State.QUEUED;
  }

  boolean isExpand() {
    return vertex.kind() == NodeKind.EXPAND;
  }

  boolean isSuspect() {
    return crashes >= SUSPECT;
  }

  /** Whether its body has begun and not come back, whatever became of the try. */
  boolean hasBody() {
    return thread != null && state.get() != State.QUEUED;
  }

  boolean isCanceled() {
    return canceled;
  }

  /** Tells the body that nobody wants its result. */
  void cancel() {
    canceled = true;
    synchronized (this) {
      Thread body = thread;
      if (body != null && state.get() != State.QUEUED) {
        body.interrupt();
      }
    }
  }

  /** Whether its body has called {@code System.exit}, which does not return. */
  boolean isExiting() {
    Thread body = thread;
    if (body == null) {
      return false;
    }
    for (StackTraceElement frame : body.getStackTrace()) {
      if (frame.getClassName().equals("java.lang.Runtime")
          && frame.getMethodName().equals("exit")) {
        return true;
      }
    }
    return false;
  }

  /** Lets go of the thread: from here on no interrupt can reach what the thread does next. */
  void leave() {
    synchronized (this) {
      thread = null;
      Thread.interrupted(); // whoever canceled it has said so; a flag that a body sets says nothing
    }
  }
}
