package dev.standpipe.internal.engine;

import dev.standpipe.InvalidValueException;
import dev.standpipe.StepDefinition;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.PayloadCodec;
import dev.standpipe.spi.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Runs one body: decodes its inputs, calls it, encodes its value, and says how it ended. */
final class Runner {
  private final PayloadCodec codec;
  private final Tasks tasks;
  private final Events events;
  private final Timeouts timeouts;
  private final Exits exits;
  private final Chunks chunks;

  Runner(PayloadCodec codec, Tasks tasks, Events events, Timeouts timeouts, Exits exits) {
    this.codec = codec;
    this.tasks = tasks;
    this.events = events;
    this.timeouts = timeouts;
    this.exits = exits;
    this.chunks = new Chunks(codec, tasks);
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
    if (work.isSkipped()) {
      work.leave();
      end(work, 0, work.isCanceled() ? new Outcome.GivenBack() : new Outcome.Skipped());
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
    try {
      if (work.vertex.kind() == NodeKind.CONVERGE) {
        return new Outcome.Returned(List.of(converged(work)));
      }
      if (work.vertex.kind() == NodeKind.BARRIER) {
        return new Outcome.Returned(List.of(codec.encode(null)));
      }
      Yielding yielding = work.yielding();
      if (yielding != null) {
        return chunks.next(work, yielding);
      }
      Object value = step.body().run(decode(work), new Context(work, step.timeout()));
      if (value instanceof StepDefinition.Elements elements) {
        return chunks.next(work, chunks.open(work, elements));
      }
      return new Outcome.Returned(encode(work, value));
    } catch (UnreadException e) { // not the step's fault; any other that it throws is
      return new Outcome.GivenBack();
    } catch (Throwable e) { // whatever a body throws is how its try ended
      return work.isCanceled() ? new Outcome.GivenBack() : new Outcome.Threw(e, false);
    } finally {
      MDC.clear();
    }
  }

  private List<@Nullable Object> decode(Work work) {
    List<@Nullable Object> decoded = new ArrayList<>();
    if (work.vertex.kind() == NodeKind.COLLAPSE) {
      Vertex input = work.vertex.inputs().get(0);
      decoded.add(new Elements(work, input, tasks, text -> decode(work, input, text)));
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
