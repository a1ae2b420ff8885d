package dev.standpipe.internal.engine;

import dev.standpipe.InvalidValueException;
import dev.standpipe.Retry;
import dev.standpipe.StepDefinition;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import dev.standpipe.internal.coordinate.Fate;
import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.Originals;
import dev.standpipe.spi.PayloadCodec;
import dev.standpipe.spi.Store;
import dev.standpipe.spi.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Runs one body: decodes its inputs, calls it, encodes its value, and says how it ended. */
final class Runner {
  private final PayloadCodec codec;
  private final Store store;
  private final CallLook calls;
  private final Events events;
  private final Timeouts timeouts;
  private final Exits exits;
  private final Chunks chunks;
  private final Originals originals;

  /**
   * What a runner works with.
   *
   * @param codec reads and writes values
   * @param store where they are
   * @param runIds ids for runs that are called
   */
  record Means(PayloadCodec codec, Store store, Supplier<UUID> runIds) {}

  Runner(Means means, Events events, Timeouts timeouts, Exits exits) {
    this.codec = means.codec();
    this.store = means.store();
    this.calls = new CallLook(store, codec, means.runIds());
    this.events = events;
    this.timeouts = timeouts;
    this.exits = exits;
    this.chunks = new Chunks(codec, store);
    this.originals = new StoredValues(store, codec);
  }

  /**
   * Where a try goes from here.
   *
   * @param outcomes when it has ended
   * @param waiting when it has to wait for another turn
   */
  record Exits(Consumer<Outcome> outcomes, Consumer<Work> waiting) {}

  void run(Work work) {
    if (!work.begin()) {
      return;
    }
    if (work.fate() != Fate.RUNS) {
      work.leave();
      Outcome.Ending ending = new Outcome.Skipped(work.fate() == Fate.LOST);
      end(work, 0, work.isCanceled() ? new Outcome.GivenBack() : ending);
      return;
    }
    if (events.perStep() && work.yielding() == null) {
      events.publish(new Event.ExecutionStarted(work.step()));
    }
    long startedAt = System.nanoTime();
    StepDefinition step = work.definition();
    Timeouts.Alarm alarm = timeouts.set(work, step.timeout());
    Outcome.Ending ending = attempt(work, step);
    alarm.stop();
    work.leave();
    if (ending == null) {
      exits.waiting().accept(work);
    } else {
      end(work, System.nanoTime() - startedAt, ending);
    }
  }

  private void end(Work work, long elapsedNanos, Outcome.Ending ending) {
    if (work.end()) {
      exits.outcomes().accept(new Outcome(work, elapsedNanos, ending));
    } else {
      work.close();
    }
  }

  /** How it ended; {@code null} if it has to wait. */
  private Outcome.@Nullable Ending attempt(Work work, StepDefinition step) {
    if (work.isCanceled()) { // before it began, so that no interrupt could reach it
      return new Outcome.GivenBack();
    }
    mark(work);
    SharedContext shared = new SharedContext(work.run, codec, store);
    try {
      if (work.vertex.kind() == NodeKind.BARRIER) {
        return new Outcome.Returned(List.of(codec.encode(null)));
      }
      Yielding yielding = work.yielding();
      if (yielding != null) {
        return chunks.next(work, yielding);
      }
      if (work.vertex.kind() == NodeKind.CALL) {
        return calls.look(work, step);
      }
      Context context =
          new Context(work, step.timeout(), new Context.Means(shared, codec, originals));
      if (work.vertex.kind() == NodeKind.AWAIT) {
        return new SignalLook(store.signals(), codec).look(work, step, context);
      }
      boolean converges = work.vertex.kind() == NodeKind.CONVERGE;
      List<@Nullable Object> inputs;
      Tasks.@Nullable Waited waited;
      try {
        inputs = converges ? List.of() : decode(work);
        waited = step.waiting().isPresent() ? store.tasks().waited(work.resultKey()) : null;
      } catch (StoreException e) { // not the step's fault; one that its body throws is
        return new Outcome.GivenBack();
      }
      if (waited != null) {
        putOff(step.waiting().orElseThrow(), waited, inputs);
      }
      if (converges) {
        return new Outcome.Returned(List.of(converged(work)));
      }
      Object value = step.body().run(inputs, context);
      return value instanceof StepDefinition.Elements elements
          ? chunks.begin(work, elements, () -> context.returned(List.of()))
          : context.returned(encode(work, value));
    } catch (UnreadException e) { // not the step's fault; any other that it throws is
      return new Outcome.GivenBack();
    } catch (Throwable e) { // whatever a body throws is how its try ended
      boolean blameless = work.isCanceled() || shared.wasUnreachable();
      return blameless ? new Outcome.GivenBack() : new Outcome.Threw(e, false);
    } finally {
      MDC.clear();
    }
  }

  /** A step waits once: that it has is on record, whoever goes on with it. */
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

  private List<@Nullable Object> decode(Work work) {
    List<@Nullable Object> decoded = new ArrayList<>();
    if (work.vertex.kind() == NodeKind.COLLAPSE) {
      Vertex input = work.vertex.inputs().get(0);
      decoded.add(new Elements(work, input, store.tasks(), text -> decode(work, input, text)));
      return decoded;
    }
    List<@Nullable String> encoded = work.inputs();
    for (int i = 0; i < work.vertex.inputs().size(); i++) {
      Vertex input = work.vertex.inputs().get(i);
      String text = encoded == null ? null : encoded.get(i);
      if (text == null && !work.vertex.mayLackInputs()) {
        throw new InvalidValueException(
            "The value of node \"" + input.key() + "\" is missing", null);
      }
      decoded.add(text == null ? null : decode(work, input, text));
    }
    return decoded;
  }

  /** The value of the arm taken, as it was written. */
  private String converged(Work work) {
    List<@Nullable String> encoded = work.inputs();
    String taken = encoded == null ? null : encoded.get(0);
    if (encoded == null || taken == null) {
      throw new InvalidValueException(
          "The arm taken by \"" + work.vertex.inputs().get(0).key() + "\" is missing", null);
    }
    String value = encoded.get(1 + work.vertex.arms().indexOf(ArmValue.read(taken)));
    return value == null ? codec.encode(null) : value;
  }

  private @Nullable Object decode(Work work, Vertex input, String text) {
    return codec.decode(text, work.pipeline.step(input.key()).orElseThrow().type().type());
  }

  private List<String> encode(Work work, @Nullable Object value) {
    if (work.vertex.kind() == NodeKind.DIVERT) {
      return List.of(ArmValue.write(String.valueOf(value)));
    }
    if (work.vertex.kind() != NodeKind.EXPAND) {
      return List.of(codec.encode(value));
    }
    if (!(value instanceof Iterable<?> elements)) {
      throw new InvalidValueException(
          "The expand \"" + work.vertex.key() + "\" returned null: return an empty list", null);
    }
    List<String> texts = new ArrayList<>();
    elements.forEach(element -> texts.add(codec.encode(element)));
    return texts;
  }

  private static void mark(Work work) {
    MDC.put("run", work.run.toString());
    MDC.put("node", work.vertex.key());
    MDC.put("index", Integer.toString(work.index));
    MDC.put("attempt", Integer.toString(work.attempt));
    MDC.put("token", Long.toString(work.token));
  }
}
