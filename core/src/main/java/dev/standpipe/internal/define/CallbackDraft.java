package dev.standpipe.internal.define;

import dev.standpipe.EffectBody;
import dev.standpipe.TypeToken;
import dev.standpipe.definition.EndCallback;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.internal.EndedRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A callback while its pipeline is being defined: a flow of one step. Not thread-safe. */
public final class CallbackDraft {
  private final EndCallback endCallback;
  private final FlowDraft flow = new FlowDraft(TypeToken.of(EndedRun.class));
  private final NodeDraft step;

  CallbackDraft(EndCallback endCallback, @Nullable Object given, EffectBody<EndedRun> body) {
    this.endCallback = endCallback;
    this.step =
        flow.add(
            endCallback.word(),
            NodeKind.STEP,
            TypeToken.of(Boolean.class),
            List.of(flow.input()),
            Bodies.joining(
                given,
                (inputs, ctx) -> {
                  body.run(Bodies.<EndedRun>input(inputs, 0), ctx);
                  return true;
                }));
  }

  /** What the user says about its step. */
  public NodeOptions options() {
    return step.options();
  }

  EndCallback endCallback() {
    return endCallback;
  }

  /** The definition of the hidden pipeline that runs it. */
  Definition definition(String original) {
    return Definition.of(endCallback.of(original), flow.close());
  }
}
