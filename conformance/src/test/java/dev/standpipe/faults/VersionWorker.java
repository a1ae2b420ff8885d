package dev.standpipe.faults;

import static dev.standpipe.conformance.server.WorkerJvm.argument;

import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.server.Databases;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A process of the version of a program that it is told. */
final class VersionWorker {
  private VersionWorker() {}

  /**
   * Serves the pipeline until it is killed.
   *
   * @param args url, version, and lease in milliseconds
   */
  public static void main(String[] args) throws InterruptedException {
    Standpipe.on(Databases.source(argument(args, "url")))
        .serve(flow(Integer.parseInt(argument(args, "version"))))
        .lease(Duration.ofMillis(Long.parseLong(argument(args, "lease"))))
        .start();
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  /** As the program of this version defines it: each has a step more than the one before. */
  static Pipeline<String, String> flow(int version) {
    return Pipeline.define(
        "versioned",
        String.class,
        String.class,
        flow -> {
          var node = flow.input().step("step-0", String.class, text -> text + " v" + version);
          for (int i = 1; i < version; i++) {
            node = node.step("step-" + i, String.class, text -> text + "+");
          }
          return node;
        });
  }
}
