package dev.standpipe.internal.engine.operate;

import dev.standpipe.Approval;
import dev.standpipe.Pipeline;
import dev.standpipe.SignalOptions;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.error.RunEndedException;
import dev.standpipe.error.SignalRefusedException;
import dev.standpipe.error.SignalRefusedException.Why;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.error.UnknownSignalException;
import dev.standpipe.info.StepId;
import dev.standpipe.internal.engine.Engine;
import dev.standpipe.internal.engine.client.Arguments;
import dev.standpipe.internal.engine.client.ExternalValue;
import dev.standpipe.internal.engine.client.Starter;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Signals;
import dev.standpipe.internal.port.Signals.Act;
import dev.standpipe.internal.port.Signals.SignalAnswer;
import dev.standpipe.internal.port.Store;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes signals for runs. */
public final class SignalOperations {
  private final Store store;
  private final PayloadCodec codec;
  private final @Nullable Engine engine;
  private final Runnable announce;

  public SignalOperations(
      Store store, PayloadCodec codec, @Nullable Engine engine, Runnable announce) {
    this.store = store;
    this.codec = codec;
    this.engine = engine;
    this.announce = announce;
  }

  /** Gives a run a signal; {@code false} if it has this very one. */
  public boolean signal(UUID run, String key, @Nullable Object value, SignalOptions options) {
    return give(
        new StepId(run, key, options.index()), value, options.dedupeKey(), Optional.empty());
  }

  /** Gives a run what a person has decided; {@code false} if it has that already. */
  boolean answer(StepId step, boolean approved, Audited audited) {
    Approval answer = new Approval(approved, audited.by(), audited.reason());
    Act act = new Act(approved ? "approve" : "reject", audited);
    return give(step, answer, Optional.empty(), Optional.of(act));
  }

  private boolean give(
      StepId step, @Nullable Object value, Optional<String> dedupeKey, Optional<Act> act) {
    Arguments.require(
        step.run() != null && step.node() != null, "Give the run's id and the await's key");
    Arguments.require(value != null, "A signal has a value, and null is none: give it one");
    int lane =
        store.runQueries().lane(step.run()).orElseThrow(() -> new UnknownRunException(step.run()));
    requireAwaited(step, store.definitions().byLane(lane).orElseThrow().graph());
    ExternalValue given = new ExternalValue(value, type(step, lane));
    String text = text(step, given);
    String which =
        dedupeKey
            .map(key -> "key " + key)
            .orElseGet(() -> "value " + Starter.hash(given.fingerprint(codec)));
    SignalAnswer taken = store.signals().give(new Signals.Given(step, text, which), act);
    announce.run();
    return switch (taken) {
      case NOW -> true;
      case BEFORE -> false;
      case OTHER -> throw new SignalRefusedException(step.run(), step.node(), Why.SIGNALED);
      case EXPIRED -> throw new SignalRefusedException(step.run(), step.node(), Why.EXPIRED);
      case SKIPPED -> throw new SignalRefusedException(step.run(), step.node(), Why.SKIPPED);
      case NOT_RUNNING -> throw notRunning(step.run());
    };
  }

  private RuntimeException notRunning(UUID run) {
    return store
        .runQueries()
        .find(run)
        .<RuntimeException>map(info -> RunEndedException.takesNoSignals(run, info.status()))
        .orElseGet(() -> new UnknownRunException(run));
  }

  private void requireAwaited(StepId step, Graph graph) {
    Vertex vertex = graph.find(step.node());
    if (vertex == null || vertex.kind() != NodeKind.AWAIT) {
      List<String> awaits =
          graph.nodes().stream()
              .filter(node -> node.kind() == NodeKind.AWAIT)
              .map(GraphNode::key)
              .toList();
      throw UnknownSignalException.key(step.run(), step.node(), awaits);
    }
    ElementRange elements = elements(step.run(), vertex, step.index());
    if (!elements.contain(step.index())) {
      throw UnknownSignalException.index(
          step.run(), step.node(), step.index(), elements.first(), elements.count());
    }
  }

  private record ElementRange(int first, int count) {
    boolean contain(int index) {
      return index >= first && index - first < count;
    }
  }

  /**
   * The elements among which this one would be. Before an expand has ended, any may come to be, if
   * it can itself.
   */
  private ElementRange elements(UUID run, Vertex vertex, int index) {
    Vertex expand = vertex.scope();
    if (expand == null) {
      return new ElementRange(0, 1);
    }
    int outside = vertex.indexOf(expand, index);
    int first = expand.firstElement(outside);
    return store
        .runQueries()
        .value(run, expand.key(), Settlement.header(outside))
        .map(yielded -> new ElementRange(first, Integer.parseInt(yielded)))
        .orElseGet(
            () ->
                elements(run, expand, outside).contain(outside)
                    ? new ElementRange(0, Integer.MAX_VALUE)
                    : new ElementRange(0, 0));
  }

  /** The type that the await declares, in a process that has its code. */
  private @Nullable Type type(StepId step, int lane) {
    Pipeline<?, ?> pipeline = engine == null ? null : engine.served(lane);
    return pipeline == null ? null : pipeline.step(step.node()).orElseThrow().type().type();
  }

  /** Where the code is that awaits it, a value that does not fit is found out at once. */
  private String text(StepId step, ExternalValue given) {
    Type type = given.declared();
    try {
      return given.text(codec);
    } catch (InvalidValueException e) {
      throw type == null
          ? e
          : new InvalidValueException(
              "The await \"%s\" takes a signal of %s: %s"
                  .formatted(step.node(), type.getTypeName(), e.getMessage()),
              e);
    }
  }
}
