package dev.standpipe.internal.engine.outbox;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.codec.InferredType;
import dev.standpipe.internal.outbox.NewEvent;
import dev.standpipe.internal.port.Settlement.EmittedEvent;
import dev.standpipe.internal.port.Settlement.StepEffect;
import dev.standpipe.outbox.EventOptions;
import dev.standpipe.spi.PayloadCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The events that one try of a step has emitted. Thread-safe. */
public final class StepEvents {
  private static final int MOST = 10_000;

  private final UUID run;
  private final String pipeline;
  private final PayloadCodec codec;
  private final Supplier<UUID> ids;
  private @Nullable List<StepEffect> emitted; // most bodies emit nothing
  private boolean ended;

  /**
   * Of a step of this run.
   *
   * @param ids for events
   */
  public StepEvents(UUID run, String pipeline, PayloadCodec codec, Supplier<UUID> ids) {
    this.run = run;
    this.pipeline = pipeline;
    this.codec = codec;
    this.ids = ids;
  }

  /** Emits an event when the step is committed. */
  public UUID emit(String type, @Nullable Object payload, EventOptions options) {
    String text = codec.encode(payload, InferredType.of(payload));
    NewEvent event = NewEvent.of(ids.get(), type, text, options, run.toString(), pipeline);
    add(new EmittedEvent(event));
    return event.id();
  }

  private synchronized void add(EmittedEvent event) {
    if (ended) {
      throw new StandpipeException(
          ErrorCode.STEP_ENDED,
          "The body has ended, so the event \"%s\" would not be committed with its step: emit before the body returns"
              .formatted(event.event().type()));
    }
    List<StepEffect> all = emitted == null ? new ArrayList<>() : emitted;
    if (all.size() == MOST) {
      throw new StandpipeException(
          ErrorCode.INVALID_ARGUMENT,
          "A step emits at most %d events, which are committed at once: use an expand for more"
              .formatted(MOST));
    }
    all.add(event);
    emitted = all;
  }

  /** The events so far. */
  public synchronized List<StepEffect> emitted() {
    return emitted == null ? List.of() : List.copyOf(emitted);
  }

  /** Takes no more. */
  public synchronized void end() {
    ended = true;
  }
}
