package dev.standpipe.cli.drill;

import dev.standpipe.Pipeline;
import dev.standpipe.spi.Event;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A process loses the network, and gets it back when others have done its work. */
final class Partition implements Drill {
  private static final int RUNS = 4;

  @Override
  public String name() {
    return "partition";
  }

  @Override
  public String claim() {
    return "a process is cut off for several leases; it stops by itself, and comes back as a new one";
  }

  @Override
  public Stage play(Theatre theatre) {
    Stage stage = theatre.stage();
    Line line = stage.line();
    AtomicInteger running = new AtomicInteger();
    AtomicInteger interrupted = new AtomicInteger();
    Set<UUID> ids = ConcurrentHashMap.newKeySet();
    AtomicInteger lost = new AtomicInteger();
    Pipeline<String, String> holding =
        Stage.pipeline(
            (text, ctx) -> {
              running.incrementAndGet();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.incrementAndGet();
                throw e;
              }
              return text;
            });
    stage.start(
        stage
            .process("islander", line.dataSource(), holding)
            .listener(event -> note(event, ids, lost)));
    stage.startRuns(RUNS);
    if (!stage.await("the islander takes the steps", () -> running.get() >= RUNS)) {
      return stage;
    }
    line.cut();
    stage.story().tell("partition_began", "islander cannot reach the database");
    stage.await("its bodies are interrupted (I4)", () -> interrupted.get() >= RUNS);
    stage.start(stage.process("mainlander", stage.source(), Stage.pipeline((text, ctx) -> text)));
    stage.awaitEnded(RUNS);
    stage.check("the islander has given its lease up", lost.get() > 0);
    line.mend();
    stage.story().tell("partition_ended", "islander can reach the database");
    stage.await("it comes back under a new id", () -> ids.size() > 1);
    stage.checkInvariants(RUNS);
    return stage;
  }

  private static void note(Event event, Set<UUID> ids, AtomicInteger lost) {
    if (event instanceof Event.ProcessStarted e) {
      ids.add(e.process());
    } else if (event instanceof Event.LeaseLost) {
      lost.incrementAndGet();
    }
  }
}
