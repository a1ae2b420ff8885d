package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import java.util.List;

/**
 * Everything before a barrier has ended before anything after it starts: here, all that writes is
 * switched off, however many there are, before the data is moved.
 */
public final class BarrierExample {
  private BarrierExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<Integer, String> move =
        Pipeline.define(
            "move-house",
            Integer.class,
            String.class,
            flow -> {
              flow.input().step("stop-stock", String.class, tables -> say("stock off"));
              flow.input()
                  .expand("tills", String.class, tables -> List.of("till"))
                  .step("stop-till", String.class, till -> say(till + " off"));
              flow.barrier("all-stopped");
              return flow.input().step("move", String.class, tables -> say("moved " + tables));
            });

    System.out.println(move.toMermaid());
    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(move).start()) {
      standpipe.start(move, 3).await(ofMinutes(1));
    }
  }

  private static String say(String what) {
    System.out.println(what);
    return what;
  }
}
