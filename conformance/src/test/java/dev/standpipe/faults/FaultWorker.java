package dev.standpipe.faults;

import static dev.standpipe.conformance.server.WorkerJvm.argument;

import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.History;
import dev.standpipe.conformance.fixture.History.What;
import dev.standpipe.conformance.server.Databases;
import dev.standpipe.conformance.server.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A process that is going to be mistreated. Stops in good order when it is asked to. */
final class FaultWorker {
  /** How many steps a run of {@link #flow} has. */
  static final int STEPS = 8;

  /** In place of a pause: the body waits until it is interrupted. */
  static final Duration FOREVER = Duration.ofDays(1);

  private final History history;
  private final Duration pause;

  private FaultWorker(History history, Duration pause) {
    this.history = history;
    this.pause = pause;
  }

  /** How to start one: what the faults vary, given by name. */
  static WorkerJvm.Setup setup(String name, Path directory, String url, Duration lease) {
    return WorkerJvm.of(FaultWorker.class, name, directory)
        .argument("name", name)
        .argument("url", url)
        .argument("history", directory.resolve(name + ".history"))
        .argument("lease", lease.toMillis());
  }

  /**
   * Serves the pipeline until it is stopped.
   *
   * @param args name, url, history, and in milliseconds lease, pause and grace
   */
  public static void main(String[] args) throws InterruptedException {
    History history = History.appendTo(Path.of(argument(args, "history")));
    FaultWorker worker = new FaultWorker(history, millis(args, "pause"));
    Standpipe standpipe =
        Standpipe.on(Databases.source(argument(args, "url")))
            .serve(worker.flow())
            .name(argument(args, "name"))
            .concurrency(4)
            .lease(millis(args, "lease"))
            .grace(millis(args, "grace"))
            .listener(history)
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(standpipe::close, "close-standpipe"));
    System.out.println("the time is " + Instant.now());
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  private static Duration millis(String[] args, String name) {
    return Duration.ofMillis(Long.parseLong(argument(args, name)));
  }

  /** The pipeline as a client sees it: it has the same graph, and its bodies are not run. */
  static Pipeline<Integer, Integer> flowOfClients() {
    return new FaultWorker(History.appendTo(Path.of("/dev/null")), Duration.ZERO).flow();
  }

  /** Something of everything: a chain, a fork and join, an expand and its collapse. */
  private Pipeline<Integer, Integer> flow() {
    return Pipeline.define(
        "faulted",
        Integer.class,
        Integer.class,
        flow -> {
          Node<Integer> first = flow.input().step("first", Integer.class, this::work);
          Node<Integer> aside = flow.input().step("aside", Integer.class, this::work);
          Node<Integer> sum =
              first
                  .expand("split", Integer.class, (n, ctx) -> List.of(work(n, ctx), n + 1, n + 2))
                  .step("each", Integer.class, this::work)
                  .collapse(
                      "sum",
                      Integer.class,
                      (list, ctx) -> work(list.stream().mapToInt(i -> i).sum(), ctx));
          return Node.join(sum, aside).step("last", Integer.class, (a, b, ctx) -> work(a + b, ctx));
        });
  }

  /** Takes its time; interrupted, it says so and returns its value all the same. */
  private int work(int value, StepContext ctx) {
    history.note(What.STARTED, ctx);
    try {
      EngineFixture.pause(pause);
    } catch (InterruptedException e) {
      history.note(What.INTERRUPTED, ctx);
    }
    history.note(What.ENDED, ctx);
    return value;
  }
}
