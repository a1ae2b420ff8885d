package dev.standpipe.internal.engine.execute;

import dev.standpipe.Loop;
import dev.standpipe.Retry;
import dev.standpipe.StepDefinition;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.error.LoopLimitException;
import dev.standpipe.internal.RunResults;
import dev.standpipe.internal.coordinate.Fate;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.expand.CollapseInputs;
import dev.standpipe.internal.engine.expand.ElementChunks;
import dev.standpipe.internal.engine.expand.ElementReader;
import dev.standpipe.internal.engine.outbox.StepEvents;
import dev.standpipe.internal.engine.substep.TryMemory;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.transaction.StepTransactions;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Runs one body: decodes its inputs, calls it, encodes its value, and says how it ended. */
public final class BodyRunner {
  private static final int MOST_HAND_OVERS = 600;
  private static final Duration HAND_OVER_PAUSE = Duration.ofMillis(100);

  private final Predicate<Attempt> mayBegin;
  private final PayloadCodec codec;
  private final Store store;
  private final CallStep calls;
  private final Events events;
  private final Timeouts timeouts;
  private final Exits exits;
  private final ElementChunks chunks;
  private final RunResults originals;
  private final TransactionalStep transactional;
  private final Supplier<UUID> ids;
  private final TryMemory.TryMemoryDeps memory;

  /**
   * What a runner works with.
   *
   * @param codec reads and writes values
   * @param store where they are
   * @param runIds ids for runs that are called, and for events
   * @param closer a thread for whatever of the user's is to be closed
   * @param mayBegin whether a body may begin, or its try is given back
   * @param transactions where transactional bodies write
   * @param memory what sub-steps and checkpoints need
   */
  public record BodyRunnerDeps(
      PayloadCodec codec,
      Store store,
      Supplier<UUID> runIds,
      Executor closer,
      Predicate<Attempt> mayBegin,
      StepTransactions transactions,
      TryMemory.TryMemoryDeps memory) {}

  public BodyRunner(BodyRunnerDeps deps, Events events, Timeouts timeouts, Exits exits) {
    this.mayBegin = deps.mayBegin();
    this.codec = deps.codec();
    this.store = deps.store();
    this.calls = new CallStep(store, codec, deps.runIds());
    this.events = events;
    this.timeouts = timeouts;
    this.exits = exits;
    this.chunks = new ElementChunks(codec, store, deps.closer());
    this.originals = new StoredValues(store, codec);
    this.transactional = new TransactionalStep(deps.transactions(), exits.settler(), timeouts);
    this.ids = deps.runIds();
    this.memory = deps.memory();
  }

  /**
   * Where a try goes from here.
   *
   * @param outcomes when it has ended
   * @param waiting when it has to wait for another turn
   * @param settler when its body has written in a transaction, in which it is to be settled
   */
  public record Exits(
      Consumer<Outcome> outcomes,
      Consumer<Attempt> waiting,
      TransactionalStep.JoinedSettler settler) {}

  /** Runs it; whatever happens meanwhile, how the try has ended is known in the end. */
  public void run(Attempt attempt) {
    if (!mayBegin.test(attempt)) {
      end(attempt, 0, new Outcome.GivenBack());
      return;
    }
    if (!attempt.begin()) {
      return;
    }
    try {
      runBegun(attempt);
    } catch (Throwable e) { // no memory, or no thread for the time-out: not the step's fault
      attempt.leave();
      end(attempt, 0, new Outcome.GivenBack());
    }
  }

  private void runBegun(Attempt attempt) {
    if (attempt.fate() != Fate.RUNS) {
      attempt.leave();
      Outcome.AttemptEnding ending = new Outcome.NotRun(attempt.fate() == Fate.LOST);
      end(attempt, 0, attempt.isCanceled() ? new Outcome.GivenBack() : ending);
      return;
    }
    if (events.perStep() && attempt.yielding() == null) {
      events.publish(new Event.ExecutionStarted(attempt.step()));
    }
    long startedAt = System.nanoTime();
    StepDefinition step = attempt.definition();
    Timeouts.Alarm alarm = timeouts.set(attempt, step.timeout());
    Timeouts.Alarm stalled = timeouts.watch(attempt, step.stallTimeout());
    Outcome.AttemptEnding ending = attempt(attempt, step, alarm);
    alarm.stop();
    stalled.stop();
    attempt.leave();
    if (ending == null) {
      exits.waiting().accept(attempt);
    } else {
      end(attempt, System.nanoTime() - startedAt, ending);
    }
  }

  private void end(Attempt attempt, long elapsedNanos, Outcome.AttemptEnding ending) {
    if (attempt.end()) {
      handOver(attempt, elapsedNanos, ending);
    } else {
      attempt.close();
    }
  }

  /**
   * An outcome that is not reported would be held for ever, so this waits until there is memory.
   */
  private void handOver(Attempt attempt, long elapsedNanos, Outcome.AttemptEnding ending) {
    for (int tries = 1; ; tries++) {
      try {
        exits.outcomes().accept(new Outcome(attempt, elapsedNanos, ending));
        return;
      } catch (OutOfMemoryError e) {
        if (tries == MOST_HAND_OVERS) {
          throw e;
        }
        LockSupport.parkNanos(this, HAND_OVER_PAUSE.toNanos());
      }
    }
  }

  /** How it ended; {@code null} if it has to wait. */
  private Outcome.@Nullable AttemptEnding attempt(
      Attempt attempt, StepDefinition step, Timeouts.Alarm alarm) {
    if (attempt.isCanceled()) { // before it began, so that no interrupt could reach it
      return new Outcome.GivenBack();
    }
    AttemptContext context =
        new AttemptContext(
            attempt,
            step.timeout(),
            new AttemptContext.AttemptContextDeps(
                new SharedContext(attempt.run, codec, store),
                codec,
                originals,
                () -> events(attempt),
                memory));
    try {
      mark(attempt);
      if (attempt.vertex.kind() == NodeKind.BARRIER) {
        return new Outcome.Returned(List.of(codec.encode(null, Void.class)));
      }
      ElementReader yielding = attempt.yielding();
      if (yielding != null) {
        return chunks.next(attempt, yielding);
      }
      if (attempt.vertex.kind() == NodeKind.CALL) {
        return calls.look(attempt, step);
      }
      if (attempt.vertex.kind() == NodeKind.AWAIT) {
        return new AwaitStep(store.signals(), codec).look(attempt, step, context);
      }
      boolean converges = attempt.vertex.kind() == NodeKind.CONVERGE;
      List<@Nullable Object> inputs;
      Tasks.@Nullable Waited waited;
      try {
        inputs = converges ? List.of() : decode(attempt);
        waited = waits(attempt, step) ? store.tasks().waited(attempt.resultKey()) : null;
      } catch (StoreException e) { // not the step's fault; one that its body throws is
        return new Outcome.GivenBack();
      }
      if (waited != null) {
        putOff(step.waiting().orElseThrow(), waited, inputs);
      }
      if (converges) {
        return new Outcome.Returned(List.of(converged(attempt, step)));
      }
      if (step.isTransactional()) {
        return transactional.run(
            attempt,
            alarm,
            tx -> {
              context.begin(tx);
              return context.returned(encode(attempt, step.body().run(inputs, context)));
            });
      }
      Object value = step.body().run(inputs, context);
      if (step.turns().isPresent()) {
        return turned(attempt, step.turns().get(), value, context);
      }
      return value instanceof StepDefinition.Elements elements
          ? chunks.begin(attempt, elements, () -> context.soFar(List.of()))
          : context.returned(encode(attempt, value));
    } catch (UnreadException e) { // not the step's fault; any other that it throws is
      return new Outcome.GivenBack();
    } catch (Throwable e) { // whatever a body throws is how its try ended
      context.fail();
      return context.isBlameless()
          ? new Outcome.GivenBack()
          : new Outcome.Threw(AttemptFailure.of(attempt, e), false);
    } finally {
      context.close();
      MDC.clear();
    }
  }

  /** A loop waits before its first turn; its turns say themselves how long the next one waits. */
  private static boolean waits(Attempt attempt, StepDefinition step) {
    return step.waiting().isPresent() && attempt.turn().turn() == 1;
  }

  private Outcome.AttemptEnding turned(
      Attempt attempt, StepDefinition.Turns turns, @Nullable Object said, AttemptContext context) {
    if (said instanceof Loop.NextTurn<?, ?> again) {
      if (attempt.turn().turn() >= turns.limit()) {
        throw new LoopLimitException(attempt.vertex.key(), turns.limit());
      }
      String state = codec.encode(again.state(), type(attempt, attempt.vertex.inputs().get(0)));
      return context.turned(attempt.turn().entry(state, turns.keep()), again.delay());
    }
    if (said instanceof Loop.FinalTurn<?, ?> last) {
      return context.returned(encode(attempt, last.value()));
    }
    throw new InvalidValueException(
        "The loop \""
            + attempt.vertex.key()
            + "\" returned null: return Loop.again(…) or Loop.done(…)",
        null);
  }

  private StepEvents events(Attempt attempt) {
    return new StepEvents(attempt.run, attempt.pipeline.name(), codec, ids);
  }

  /** A step waits once: the database records that it has, for the process that goes on with it. */
  private static void putOff(
      StepDefinition.Wait wait, Tasks.Waited waited, List<@Nullable Object> inputs)
      throws Exception {
    if (!waited.snoozed()) {
      Duration left = wait.from(waited.now(), inputs);
      if (!left.isNegative() && !left.isZero()) {
        throw Retry.after(left);
      }
    }
  }

  private List<@Nullable Object> decode(Attempt attempt) {
    List<@Nullable Object> decoded = new ArrayList<>();
    if (attempt.vertex.kind() == NodeKind.COLLAPSE) {
      Vertex input = attempt.vertex.inputs().get(0);
      decoded.add(
          new CollapseInputs(attempt, input, store.tasks(), text -> decode(attempt, input, text)));
      return decoded;
    }
    List<@Nullable String> encoded = attempt.inputs();
    for (int i = 0; i < attempt.vertex.inputs().size(); i++) {
      Vertex input = attempt.vertex.inputs().get(i);
      String text = encoded == null ? null : encoded.get(i);
      if (text == null && !attempt.vertex.mayLackInputs()) {
        throw new InvalidValueException(
            "The value of node \"" + input.key() + "\" is missing", null);
      }
      decoded.add(text == null ? null : decode(attempt, input, text));
    }
    return decoded;
  }

  /** The value of the arm taken, as it was written if it is of the same type. */
  private String converged(Attempt attempt, StepDefinition step) {
    List<@Nullable String> encoded = attempt.inputs();
    String taken = encoded == null ? null : encoded.get(0);
    if (encoded == null || taken == null) {
      throw new InvalidValueException(
          "The arm taken by \"" + attempt.vertex.inputs().get(0).key() + "\" is missing", null);
    }
    int arm = 1 + attempt.vertex.arms().indexOf(ArmValue.read(taken));
    String value = encoded.get(arm);
    if (value == null) {
      return codec.encode(null, Void.class);
    }
    Type from = type(attempt, attempt.vertex.inputs().get(arm));
    return RetypedValue.text(value, from, step.type().type(), codec);
  }

  private @Nullable Object decode(Attempt attempt, Vertex input, String text) {
    return codec.decode(text, type(attempt, input));
  }

  private static Type type(Attempt attempt, Vertex node) {
    return attempt.pipeline.step(node.key()).orElseThrow().type().type();
  }

  private List<String> encode(Attempt attempt, @Nullable Object value) {
    if (attempt.vertex.kind() == NodeKind.DIVERT) {
      return List.of(ArmValue.write(String.valueOf(value)));
    }
    Type type = attempt.definition().type().type();
    if (attempt.vertex.kind() != NodeKind.EXPAND) {
      return List.of(codec.encode(value, type));
    }
    if (!(value instanceof Iterable<?> elements)) {
      throw new InvalidValueException(
          "The expand \"" + attempt.vertex.key() + "\" returned null: return an empty list", null);
    }
    List<String> texts = new ArrayList<>();
    elements.forEach(element -> texts.add(codec.encode(element, type)));
    return texts;
  }

  private static void mark(Attempt attempt) {
    MDC.put("run", attempt.run.toString());
    MDC.put("node", attempt.vertex.key());
    MDC.put("index", Integer.toString(attempt.index));
    MDC.put("attempt", Integer.toString(attempt.number));
    MDC.put("token", Long.toString(attempt.ref.token()));
  }
}
