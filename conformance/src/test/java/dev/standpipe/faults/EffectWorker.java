package dev.standpipe.faults;

import static dev.standpipe.conformance.server.WorkerJvm.argument;

import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import dev.standpipe.conformance.server.Databases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A process whose bodies have an effect outside of the database: a line in a file. */
final class EffectWorker {
  private EffectWorker() {}

  /**
   * Serves the pipeline until it is killed.
   *
   * @param args url, effects (a file), and lease in milliseconds
   */
  public static void main(String[] args) throws InterruptedException {
    Path effects = Path.of(argument(args, "effects"));
    Standpipe.on(Databases.source(argument(args, "url")))
        .serve(flow((ctx, text) -> act(effects, ctx)))
        .lease(Duration.ofMillis(Long.parseLong(argument(args, "lease"))))
        .start();
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  /** What a body does besides returning its value. */
  @FunctionalInterface
  interface Effect {
    void on(StepContext ctx, String text) throws InterruptedException;
  }

  /** A node of each kind that has a body, each with an effect. */
  static Pipeline<String, String> flow(Effect effect) {
    return Pipeline.define(
        "effects",
        String.class,
        String.class,
        flow -> {
          Node<String> step =
              flow.input().step("step", String.class, (text, ctx) -> pass(effect, ctx, text));
          Node<String> list =
              flow.input()
                  .expand(
                      "expand",
                      String.class,
                      (text, ctx) -> List.of(pass(effect, ctx, text + "1"), text + "2"))
                  .step("each", String.class, (text, ctx) -> pass(effect, ctx, text))
                  .collapse(
                      "collapse",
                      String.class,
                      (all, ctx) -> pass(effect, ctx, String.join(",", all)));
          return Node.join(step, list).step("join", String.class, (a, b) -> a + "," + b);
        });
  }

  private static String pass(Effect effect, StepContext ctx, String text)
      throws InterruptedException {
    effect.on(ctx, text);
    return text;
  }

  /** The first time, a body goes no further than its effect: its process is about to be killed. */
  private static void act(Path effects, StepContext ctx) throws InterruptedException {
    String line = ctx.node() + "/" + ctx.index() + " " + ctx.idempotencyKey() + "\n";
    boolean first;
    try {
      first = !Files.exists(effects) || !Files.readString(effects).contains(line);
      Files.writeString(
          effects,
          line,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND,
          StandardOpenOption.SYNC);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (first) {
      new CountDownLatch(1).await();
    }
  }
}
