package dev.standpipe.cli.drill;

import dev.standpipe.Pipeline;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Four processes want the same steps. */
final class LeaseRace implements Drill {
  private static final int PROCESSES = 4;
  private static final int RUNS = 20;

  @Override
  public String name() {
    return "lease-race";
  }

  @Override
  public String claim() {
    return "four processes race for the same steps; each step is leased to one of them, once";
  }

  @Override
  public Stage play(Theatre theatre) {
    Stage stage = theatre.stage();
    Map<String, AtomicInteger> bodies = new ConcurrentHashMap<>();
    Pipeline<String, String> pipeline =
        Stage.pipeline(
            (text, ctx) -> {
              bodies
                  .computeIfAbsent(ctx.idempotencyKey(), k -> new AtomicInteger())
                  .incrementAndGet();
              return text;
            });
    for (int i = 1; i <= PROCESSES; i++) {
      stage.start(stage.process("racer-" + i, stage.newSource(), pipeline).lease(Stage.LONG_LEASE));
    }
    stage.startRuns(RUNS);
    stage.awaitEnded(RUNS);
    stage.check(
        "no body ran twice (I4)",
        bodies.size() == RUNS * Stage.STEPS
            && bodies.values().stream().allMatch(n -> n.get() == 1));
    stage.checkInvariants(RUNS);
    return stage;
  }
}
