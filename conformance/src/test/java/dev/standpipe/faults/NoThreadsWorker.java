package dev.standpipe.faults;

import static dev.standpipe.conformance.server.WorkerJvm.argument;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import java.security.Permission;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A process in a JVM that refuses new threads for a while, as it does when the operating system has
 * none left: whoever wants one gets an {@code OutOfMemoryError}.
 */
final class NoThreadsWorker {
  private static final int REFUSALS = 20;

  private NoThreadsWorker() {}

  /** Allows everything but new threads, as long as it is told to. */
  @SuppressWarnings("removal")
  private static final class Refusing extends SecurityManager {
    private final AtomicInteger refusals = new AtomicInteger(-1);

    void begin() {
      refusals.set(REFUSALS);
    }

    boolean isOver() {
      return refusals.get() == 0;
    }

    @Override
    public void checkAccess(ThreadGroup group) {
      boolean ours = Thread.currentThread().getName().startsWith("standpipe-");
      if (ours && refusals.getAndUpdate(left -> left > 0 ? left - 1 : left) > 0) {
        throw new OutOfMemoryError("unable to create native thread: made up");
      }
    }

    @Override
    public void checkPermission(Permission permission) {}
  }

  /**
   * Says {@code done=} and how many runs have ended.
   *
   * @param args the url
   */
  @SuppressWarnings("removal")
  public static void main(String[] args) throws InterruptedException {
    Refusing refusing = new Refusing();
    System.setSecurityManager(refusing);
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "scarce",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .step("a", Integer.class, (n, ctx) -> n + 1)
                    .timeout(Duration.ofMinutes(1))
                    .step("b", Integer.class, (n, ctx) -> n + 1));
    try (Standpipe standpipe =
        Standpipe.on(PoisonWorker.source(argument(args, "url")))
            .serve(pipeline)
            .concurrency(16)
            .pollInterval(Duration.ofMillis(100))
            .start()) {
      refusing.begin();
      List<Run<Integer>> runs =
          standpipe.startAll(pipeline, IntStream.range(0, 40).boxed().toList());
      System.out.println("done=" + EngineFixture.await(runs).size());
      System.out.println("over=" + refusing.isOver());
    }
  }
}
