package dev.standpipe.examples;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.supervisor.Supervisor;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/**
 * Two child JVMs under supervision, one of which is killed with work in its hands. Its lease would
 * last half a minute; its supervisor saw it die, so the other goes on with its steps at once.
 *
 * <p>{@code standpipe worker --main dev.standpipe.examples.SupervisorExample$Worker …} does the
 * same from the command line.
 */
public final class SupervisorExample {
  private SupervisorExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    try (HikariDataSource database = Database.open(args);
        Supervisor supervisor =
            Supervisor.on(database)
                .main(Worker.class.getName())
                .arguments(List.of(database.getJdbcUrl()))
                .jvmOptions(List.of("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir")))
                .processes(2)
                .start();
        Standpipe client = Standpipe.on(database).start()) {
      List<Run<Integer>> runs =
          client.startAll(Worker.PIPELINE, IntStream.range(0, 200).boxed().toList());
      runs.get(50).await(ofMinutes(1));
      ProcessHandle.of(supervisor.pids().get(0)).ifPresent(ProcessHandle::destroyForcibly);
      long killedAt = System.nanoTime();
      for (Run<Integer> run : runs) {
        run.await(ofMinutes(1));
      }
      boolean soon = System.nanoTime() - killedAt < ofSeconds(25).toNanos();
      System.out.println(runs.size() + " runs succeeded");
      System.out.println(soon ? "long before a lease ran out" : "after a lease had run out");
    }
  }

  /** What each child runs: serves the pipeline until it is stopped. */
  public static final class Worker {
    static final Pipeline<Integer, Integer> PIPELINE =
        Pipeline.define(
            "squares",
            Integer.class,
            Integer.class,
            flow -> flow.input().step("square", Integer.class, Worker::square));

    private Worker() {}

    private static int square(int n) throws InterruptedException {
      Thread.sleep(ofMillis(50).toMillis());
      return n * n;
    }

    /** Serves it; the argument is the database's URL. */
    public static void main(String... args) throws Exception {
      HikariDataSource database = Database.open(args);
      Standpipe standpipe =
          Standpipe.on(database).serve(PIPELINE).concurrency(4).lease(ofSeconds(30)).start();
      Runtime.getRuntime().addShutdownHook(new Thread(standpipe::close));
      new CountDownLatch(1).await();
    }
  }
}
