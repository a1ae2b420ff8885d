package dev.standpipe.cli.drill;

import dev.standpipe.Pipeline;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The database commits, and its reply never arrives. */
final class CommitLost implements Drill {
  private static final int RUNS = 10;
  private static final int LOST = 3;

  @Override
  public String name() {
    return "commit-lost";
  }

  @Override
  public String claim() {
    return "replies to commits are lost; what took effect is looked up by its token, never guessed";
  }

  @Override
  public Stage play(Theatre theatre) {
    Stage stage = theatre.stage();
    Line line = stage.line();
    Map<String, AtomicInteger> bodies = new ConcurrentHashMap<>();
    Pipeline<String, String> pipeline =
        Stage.pipeline(
            (text, ctx) -> {
              bodies
                  .computeIfAbsent(ctx.idempotencyKey(), k -> new AtomicInteger())
                  .incrementAndGet();
              return text;
            });
    line.loseReplies(LOST);
    stage.start(stage.process("worker", line.dataSource(), pipeline).lease(Stage.LONG_LEASE));
    stage.startRuns(RUNS);
    stage.awaitEnded(RUNS);
    stage.story().tell("replies_lost", line.lost() + " replies to commits");
    stage.check("replies were lost", line.lost() == LOST);
    stage.check(
        "no step was done again",
        bodies.size() == RUNS * Stage.STEPS
            && bodies.values().stream().allMatch(n -> n.get() == 1));
    stage.check("and none counts as failed", stage.count("select count(*) from %sattempt") == 0);
    stage.checkInvariants(RUNS);
    return stage;
  }
}
