package dev.standpipe.internal.engine;

import dev.standpipe.Pipeline;
import dev.standpipe.spi.Tasks.Claimed;
import java.util.UUID;

/** Tries at a step that no database knows of. */
final class Works {
  static final Pipeline<String, String> PIPELINE =
      Pipeline.define(
          "works",
          String.class,
          String.class,
          flow ->
              flow.input()
                  .step("first", String.class, text -> text)
                  .step("second", String.class, text -> text));

  private static final UUID OWNER = new UUID(1, 1);
  private static final UUID RUN = new UUID(2, 2);

  private Works() {}

  static Work work(long task) {
    return Work.of(OWNER, PIPELINE, new Claimed(RUN, task, "first", 0, 1, 0, 1, 1, 0, true, 0));
  }
}
