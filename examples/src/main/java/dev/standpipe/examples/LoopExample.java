package dev.standpipe.examples;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Loop;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;

/**
 * Polls a slow service until its report is ready. Each look is committed; between two of them there
 * is only a row that says when to look again.
 */
public final class LoopExample {
  private LoopExample() {}

  /** A report that was ordered, and how often we looked for it. */
  public record Ordered(String id, int looks) {}

  /** A service that needs its time. */
  private static String look(Ordered ordered) {
    return ordered.looks() < 3 ? "in progress" : "ready";
  }

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<String, String> report =
        Pipeline.define(
            "report",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step("order", Ordered.class, id -> new Ordered(id, 0))
                    .loop(
                        "poll",
                        String.class,
                        (ordered, ctx) ->
                            look(ordered).equals("ready")
                                ? Loop.done("report of " + ordered.id())
                                : Loop.again(new Ordered(ordered.id(), ordered.looks() + 1))
                                    .after(ofMillis(200)))
                    .limit(100)
                    .step("mail", String.class, text -> "mailed the " + text));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(report).start()) {
      Run<String> run = standpipe.start(report, "june");
      System.out.println(run.await(ofMinutes(1)));
      run.turns("poll", 0, Ordered.class)
          .forEach(turn -> System.out.println("turn " + turn.turn() + ": " + turn.state()));
    }
  }
}
