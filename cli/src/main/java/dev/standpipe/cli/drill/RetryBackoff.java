package dev.standpipe.cli.drill;

import dev.standpipe.Pipeline;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** A step fails until it succeeds, and another until it may no more. */
final class RetryBackoff implements Drill {
  private static final int FAILURES = 3;

  @Override
  public String name() {
    return "retry-backoff";
  }

  @Override
  public String claim() {
    return "a step that fails is tried again ever later, within its limit, and then halts its run";
  }

  @Override
  public Stage play(Theatre theatre) {
    Stage stage = theatre.stage();
    List<Duration> delays = new CopyOnWriteArrayList<>();
    AtomicBoolean hopeless = new AtomicBoolean();
    Pipeline<String, String> flaky =
        Stage.pipeline(
            (text, ctx) -> {
              boolean first = ctx.node().equals("step-1");
              if (first && (hopeless.get() || ctx.attempt() <= FAILURES)) {
                throw new IllegalStateException("on purpose, attempt " + ctx.attempt());
              }
              return text;
            });
    stage.start(
        stage
            .process("worker", stage.source(), flaky)
            .listener(
                event -> {
                  if (event instanceof Event.RetryScheduled e) {
                    delays.add(e.delay());
                  }
                }));
    stage.startRuns(1);
    stage.awaitEnded(1);
    stage.check("every pause is longer than the one before: " + delays, grow(delays));
    stage.checkInvariants(1);
    hopeless.set(true);
    stage.startRuns(1);
    stage.awaitEnded(2);
    stage.check(
        "a step that never succeeds is tried as often as its limit says (I7)",
        stage.count("select count(*) from %sattempt where outcome = 'failed'")
            == FAILURES + FAILURES + 1);
    stage.check(
        "and its run is halted",
        stage.count("select count(*) from %srun where status = 'halted'") == 1);
    stage.checkHealth();
    return stage;
  }

  private static boolean grow(List<Duration> delays) {
    boolean grows = delays.size() == FAILURES;
    for (int i = 1; i < delays.size(); i++) {
      grows &= delays.get(i).compareTo(delays.get(i - 1)) > 0;
    }
    return grows;
  }
}
