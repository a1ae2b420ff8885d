package dev.standpipe.faults;

import static dev.standpipe.conformance.server.WorkerJvm.argument;

import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import dev.standpipe.conformance.server.Databases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** A process whose bodies make many calls, each of which leaves a line in a file. */
final class SubStepWorker {
  static final int CALLS = 60;

  private SubStepWorker() {}

  /**
   * Serves the pipeline until it is killed.
   *
   * @param args url, calls (a file of its own), and lease in milliseconds
   */
  public static void main(String[] args) throws InterruptedException {
    Path calls = Path.of(argument(args, "calls"));
    Standpipe.on(Databases.source(argument(args, "url")))
        .serve(flow((ctx, what) -> append(calls, ctx, what)))
        .lease(Duration.ofMillis(Long.parseLong(argument(args, "lease"))))
        .start();
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  /** Hears of a call that is made, of one that has returned, and of a page that is begun. */
  @FunctionalInterface
  interface Calls {
    void heard(StepContext ctx, String what);
  }

  static Pipeline<Integer, Integer> flow(Calls calls) {
    return Pipeline.define(
        "calls",
        Integer.class,
        Integer.class,
        flow -> flow.input().step("work", Integer.class, (n, ctx) -> work(ctx, calls)));
  }

  private static int work(StepContext ctx, Calls calls) {
    int sum = 0;
    int from = ctx.checkpoint(Integer.class).orElse(0);
    calls.heard(ctx, "from " + from);
    for (int i = 0; i < CALLS; i++) {
      int number = i;
      String key = "call-" + i;
      sum +=
          ctx.once(
              key,
              Integer.class,
              () -> {
                calls.heard(ctx, "made " + key);
                return number;
              });
      calls.heard(ctx, "returned " + key);
      if (i % 10 == 9 && i > from) {
        ctx.checkpoint(i);
        calls.heard(ctx, "at " + i);
      }
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
    return sum;
  }

  private static synchronized void append(Path calls, StepContext ctx, String what) {
    String line = ctx.runId() + " " + ctx.token() + " " + what + "\n";
    try {
      Files.write(
          calls,
          line.getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND,
          StandardOpenOption.DSYNC);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
