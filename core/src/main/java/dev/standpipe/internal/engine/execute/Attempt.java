package dev.standpipe.internal.engine.execute;

import dev.standpipe.Pipeline;
import dev.standpipe.StepDefinition;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import dev.standpipe.internal.coordinate.Fate;
import dev.standpipe.internal.engine.expand.ElementReader;
import dev.standpipe.internal.engine.substep.ProgressNote;
import dev.standpipe.internal.engine.turn.TurnPlace;
import dev.standpipe.internal.port.Settlement.TurnEntry;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.ResultKey;
import dev.standpipe.spi.Event;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One try at a step, from the moment this process holds it until it is settled. The first to end it
 * wins: the body that returns, the time-out, a lost lease or a stop.
 */
public final class Attempt {
  /** Where a try is. */
  enum State {
    QUEUED,
    RUNNING,
    ENDED
  }

  /** A step that this many processes have died with is a suspect. */
  private static final int SUSPECT = 2;

  public final UUID owner;
  public final Pipeline<?, ?> pipeline;
  public final Vertex vertex;
  public final TaskRef ref;
  public final UUID run;
  public final int index;
  public final int lane;
  public final int priority;
  public final int number;
  public final int crashes;

  private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);
  private final AtomicReference<@Nullable ElementReader> yielding = new AtomicReference<>();
  private final AtomicBoolean aside = new AtomicBoolean();
  private volatile @Nullable Thread thread;
  private volatile boolean canceled;
  private volatile long heldSince;
  private volatile long progressedAt;
  private volatile @Nullable ProgressNote unreported;
  private @Nullable List<@Nullable String> inputs;
  private @Nullable TurnPlace turn;
  private volatile Fate fate = Fate.RUNS;

  private Attempt(UUID owner, Pipeline<?, ?> pipeline, Vertex vertex, Claimed task) {
    this.owner = owner;
    this.pipeline = pipeline;
    this.vertex = vertex;
    this.ref = task.ref();
    this.run = task.run();
    this.index = task.index();
    this.lane = task.lane();
    this.priority = task.priority();
    this.number = task.attempt();
    this.crashes = task.crashes();
  }

  /** The try a claimed task asks for. */
  public static Attempt of(UUID owner, Pipeline<?, ?> pipeline, Claimed task) {
    Attempt attempt = new Attempt(owner, pipeline, pipeline.graph().vertex(task.node()), task);
    if (task.input() != null) { // what a run begins with gets nothing else
      attempt.inputs = Collections.nCopies(attempt.vertex.inputs().size(), task.input());
    }
    return attempt;
  }

  /** The first try at a step that follows from this one. */
  public Attempt follow(Vertex next, TaskRef nextRef, int nextIndex) {
    return new Attempt(owner, pipeline, next, held(nextRef, next.key(), nextIndex, 1));
  }

  private Claimed held(TaskRef held, String node, int at, int attempt) {
    return new Claimed(held, node, at, lane, priority, attempt, 0, true, 0, null);
  }

  /** What an expand that has yielded some of its elements goes on with, at the same attempt. */
  public Attempt goOn() {
    Claimed next = held(ref.handedOn(), vertex.key(), index, number);
    Attempt more = new Attempt(owner, pipeline, vertex, next);
    more.inputs = inputs;
    more.yielding.set(yielding.getAndSet(null));
    return more;
  }

  /** The next turn of a loop, which this one has handed its state on to. */
  public Attempt nextTurn(TurnEntry entry) {
    Claimed next = held(ref.handedOn(), vertex.key(), index, 1);
    Attempt more = new Attempt(owner, pipeline, vertex, next);
    more.turn(TurnPlace.after(entry), entry.state());
    return more;
  }

  /** Notes which turn of a loop it is, with the value before the loop as its state. */
  public void turn(TurnPlace place) {
    this.turn = place;
  }

  /** Notes which turn of a loop it is, and its state. */
  public void turn(TurnPlace place, String state) {
    this.turn = place;
    this.inputs = List.of(state);
  }

  public boolean knowsTurn() {
    return turn != null;
  }

  /** Which turn of a loop it is; the first, if it is none. */
  public TurnPlace turn() {
    return turn == null ? TurnPlace.FIRST : turn;
  }

  /** The reader of an expand's elements, once it has begun to yield them. */
  public @Nullable ElementReader yielding() {
    return yielding.get();
  }

  public void yielding(ElementReader open) {
    yielding.set(open);
  }

  /** Lets go of what elements are read from. */
  public void close() {
    ElementReader open = yielding.getAndSet(null);
    if (open != null) {
      open.close();
    }
  }

  public StepDefinition definition() {
    return pipeline.step(vertex.key()).orElseThrow();
  }

  public Event.Step step() {
    return new Event.Step(run, vertex.key(), index, ref.token(), number);
  }

  public ResultKey resultKey() {
    return new ResultKey(run, vertex.key(), index);
  }

  /** The vertices whose results are its inputs; a collapse's are not fetched by key. */
  public List<ResultKey> inputKeys() {
    int at = vertex.scope() == null ? 0 : index;
    return vertex.inputs().stream().map(input -> new ResultKey(run, input.key(), at)).toList();
  }

  /** The encoded values of its inputs, once they are known. */
  public @Nullable List<@Nullable String> inputs() {
    return inputs;
  }

  public void inputs(List<@Nullable String> encoded) {
    this.inputs = encoded;
  }

  /** Notes whether the step is to run. */
  public void fate(Fate fate) {
    this.fate = fate;
  }

  public Fate fate() {
    return fate;
  }

  /** Starts it on this thread; {@code false} if it has ended already. */
  public boolean begin() {
    thread = Thread.currentThread();
    boolean begun = state.compareAndSet(State.QUEUED, State.RUNNING);
    if (!begun) {
      leave(); // or an interrupt for this would reach what the thread does next
    }
    return begun;
  }

  /** Notes whether it holds no room; {@code false} if that is as it was. */
  public boolean setAside(boolean without) {
    return aside.compareAndSet(!without, without);
  }

  /** Lets it wait for another turn; {@code false} if it has ended. */
  public boolean pause() {
    return state.compareAndSet(State.RUNNING, State.QUEUED);
  }

  /** Ends it; {@code false} if it has ended already. */
  public boolean end() {
    return state.getAndSet(State.ENDED) != State.ENDED;
  }

  /**
   * Goes on with a try that its own thread has ended: it was to be settled, and could not be. What
   * else would have ended it meanwhile has only set {@link #isCanceled}, if anything.
   */
  void reopen() {
    thread = Thread.currentThread();
    state.set(State.RUNNING);
  }

  /** Notes that its body gets on, with a report of it if there is one. */
  void progressed(@Nullable ProgressNote note) {
    progressedAt = System.nanoTime();
    if (note != null) {
      synchronized (this) {
        unreported = note;
      }
    }
  }

  /** When its body began or last got on. */
  long progressedAt() {
    return progressedAt;
  }

  /** The last report that is not in the database yet; its taker writes it. */
  public @Nullable ProgressNote takeReport() {
    if (unreported == null) {
      return null;
    }
    synchronized (this) {
      ProgressNote last = unreported;
      unreported = null;
      return last;
    }
  }

  /** The report could not be written: it is tried again, unless there is a newer one. */
  public void giveBack(ProgressNote report) {
    synchronized (this) {
      if (unreported == null) {
        unreported = report;
      }
    }
  }

  /** Notes when this process got hold of it. */
  public void held(long at) {
    heldSince = at;
  }

  public long heldSince() {
    return heldSince;
  }

  public boolean isQueued() {
    return state.get() == State.QUEUED;
  }

  public boolean isExpand() {
    return vertex.kind() == NodeKind.EXPAND;
  }

  public boolean isSuspect() {
    return crashes >= SUSPECT;
  }

  /** Whether its body has begun and not come back, whatever became of the try. */
  public boolean hasBody() {
    return thread != null && state.get() != State.QUEUED;
  }

  public boolean isCanceled() {
    return canceled;
  }

  /** Tells the body that its result is not wanted any more. */
  public void cancel() {
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
      Thread.interrupted(); // a cancel has its own flag; one that a body sets says nothing
    }
  }
}
