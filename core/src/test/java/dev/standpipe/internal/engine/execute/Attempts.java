package dev.standpipe.internal.engine.execute;

import dev.standpipe.Pipeline;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks.Claimed;
import java.util.List;
import java.util.UUID;

/** Tries at a step that no database knows of. */
public final class Attempts {
  public static final Pipeline<String, String> PIPELINE =
      Pipeline.define(
          "works",
          String.class,
          String.class,
          flow ->
              flow.input()
                  .step("first", String.class, text -> text)
                  .step("second", String.class, text -> text));

  private static final Pipeline<String, String> EXPANDING =
      Pipeline.define(
          "expanding",
          String.class,
          String.class,
          flow ->
              flow.input()
                  .expand("letters", String.class, text -> List.of(text.split("")))
                  .collapse("word", String.class, letters -> String.join("", letters)));

  private static final UUID OWNER = new UUID(1, 1);
  private static final UUID RUN = new UUID(2, 2);

  private Attempts() {}

  public static Attempt attempt(long task) {
    return attempt(PIPELINE, "first", task, 0);
  }

  /** One that its store settles by another statement than the others. */
  public static Attempt settledApart(long task) {
    TaskRef ref =
        new TaskRef(RUN, task, 1) {
          @Override
          public boolean isSettledApart() {
            return true;
          }
        };
    return Attempt.of(
        OWNER, PIPELINE, new Claimed(ref, "first", 0, 1, 0, 1, 0, true, 0, "\"input\""));
  }

  public static Attempt expand(long task) {
    return attempt(EXPANDING, "letters", task, 0);
  }

  public static Attempt suspectExpand(long task) {
    return attempt(EXPANDING, "letters", task, 2);
  }

  private static Attempt attempt(Pipeline<?, ?> pipeline, String node, long task, int crashes) {
    return Attempt.of(
        OWNER, pipeline, new Claimed(RUN, task, node, 0, 1, 0, 1, 1, crashes, true, 0));
  }
}
