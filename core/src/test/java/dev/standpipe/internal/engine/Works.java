package dev.standpipe.internal.engine;

import dev.standpipe.Pipeline;
import dev.standpipe.spi.Tasks.Claimed;
import dev.standpipe.spi.Tasks.Part;
import java.util.List;
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

  private Works() {}

  static Work work(long task) {
    return work(PIPELINE, "first", task, 0);
  }

  static Work inPart(long task, Part part) {
    Claimed claimed = new Claimed(RUN, task, "first", 0, 1, 0, 1, 1, 0, true, 0);
    return Work.of(OWNER, PIPELINE, claimed.first("\"input\"", part));
  }

  static Work expand(long task) {
    return work(EXPANDING, "letters", task, 0);
  }

  static Work suspectExpand(long task) {
    return work(EXPANDING, "letters", task, 2);
  }

  private static Work work(Pipeline<?, ?> pipeline, String node, long task, int crashes) {
    return Work.of(OWNER, pipeline, new Claimed(RUN, task, node, 0, 1, 0, 1, 1, crashes, true, 0));
  }
}
