package dev.standpipe.internal.define;

import dev.standpipe.Retry;
import dev.standpipe.StepContext;
import dev.standpipe.StepDefinition;
import dev.standpipe.TypeToken;
import dev.standpipe.definition.EndCallback;
import dev.standpipe.definition.EndCallbackGraphs;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.internal.EndedRun;
import dev.standpipe.internal.RunResults;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The code of the hidden pipeline that undoes what a run has done, one step after the other. Each
 * of its steps reads from the run itself what there is to undo, and does nothing if there is not.
 */
final class Compensation {
  private static final TypeToken<Boolean> DONE = TypeToken.of(Boolean.class);

  private final Graph graph;
  private final Map<String, NodeDraft> drafts = new HashMap<>();

  private Compensation(Graph original, List<NodeDraft> drafts) {
    this.graph = EndCallbackGraphs.of(original, EndCallback.COMPENSATE);
    drafts.forEach(draft -> this.drafts.put(draft.key, draft));
  }

  /** The definition of the pipeline that undoes the work of another. */
  static Definition definition(Graph original, List<NodeDraft> drafts) {
    Compensation compensation = new Compensation(original, drafts);
    List<GraphNode> nodes = compensation.graph.nodes();
    Map<String, StepDefinition> steps = new HashMap<>();
    nodes.forEach(node -> steps.put(node.key(), compensation.step(node)));
    return new Definition(compensation.graph, nodes, steps, List.of());
  }

  private StepDefinition step(GraphNode node) {
    return switch (node.kind()) {
      case EXPAND ->
          plain(
              node,
              TypeToken.of(Integer.class),
              (inputs, ctx) -> succeeded(ctx, EndCallbackGraphs.undone(node.key())));
      case STEP -> undo(node);
      case COLLAPSE -> plain(node, DONE, (inputs, ctx) -> true);
      case INPUT -> plain(node, TypeToken.of(EndedRun.class), (inputs, ctx) -> true);
      case DIVERT, CONVERGE, DELAY, BARRIER, AWAIT, CALL, LOOP ->
          throw new IllegalStateException("Not in a compensation: " + node);
    };
  }

  private static StepDefinition plain(GraphNode node, TypeToken<?> type, StepDefinition.Body body) {
    return step(node, type, Retry.standard(), Optional.empty(), OptionalInt.empty(), body);
  }

  /** One that runs its body as soon as its turn comes. */
  private static StepDefinition step(
      GraphNode node,
      TypeToken<?> type,
      Retry retry,
      Optional<Duration> timeout,
      OptionalInt crashLimit,
      StepDefinition.Body body) {
    return new StepDefinition(
        node.key(),
        node.kind(),
        type,
        retry,
        timeout,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        crashLimit,
        Optional.empty(),
        Optional.empty(),
        body);
  }

  /** With the retries and the time-out of the step it undoes. */
  private StepDefinition undo(GraphNode node) {
    NodeDraft draft = drafts.get(node.key());
    if (draft == null) {
      throw new IllegalStateException("No step to undo: " + node);
    }
    StepDefinition done = draft.toStep();
    boolean perElement = graph.vertex(node.key()).scope() != null;
    return step(
        node,
        DONE,
        done.retry(),
        done.timeout(),
        done.crashLimit(),
        Bodies.joining(
            draft.options().compensation(),
            (inputs, ctx) -> {
              if (perElement) {
                undo(draft, ctx, Bodies.<Integer>input(inputs, 0));
              } else if (!succeeded(ctx, node.key()).isEmpty()) {
                undo(draft, ctx, 0);
              }
              return true;
            }));
  }

  @SuppressWarnings("NullAway") // a step may have returned null, and its compensation expects it
  private static void undo(NodeDraft draft, StepContext ctx, int index) throws Exception {
    @Nullable Object value =
        originals(ctx).value(original(ctx), draft.key, index, draft.type.type()).orElse(null);
    draft.options().compensation().run(value, ctx);
  }

  private static List<Integer> succeeded(StepContext ctx, String node) {
    return originals(ctx).succeeded(original(ctx), node);
  }

  private static UUID original(StepContext ctx) {
    Object input =
        originals(ctx)
            .value(ctx.runId(), GraphNode.INPUT_KEY, 0, EndedRun.class)
            .orElseThrow(() -> new IllegalStateException("A compensation without its run"));
    return UUID.fromString(((EndedRun) input).run());
  }

  private static RunResults originals(StepContext ctx) {
    if (ctx instanceof RunResults originals) {
      return originals;
    }
    throw new IllegalStateException("Compensations run in an engine");
  }
}
