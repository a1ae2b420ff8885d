package dev.standpipe.examples;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.error.RunFailedException;

/** Runs that wait for other runs: on the result of one, or after several. */
public final class ChainExample {
  private ChainExample() {}

  private static Pipeline<Integer, Integer> load() {
    return Pipeline.define(
        "load-orders",
        Integer.class,
        Integer.class,
        flow ->
            flow.input()
                .step(
                    "load",
                    Integer.class,
                    orders -> {
                      if (orders < 0) {
                        throw new IllegalArgumentException("no file");
                      }
                      return orders * 2;
                    })
                .retry(Retry.fixed(ZERO).limit(0)));
  }

  private static Pipeline<Integer, String> report() {
    return Pipeline.define(
        "report",
        Integer.class,
        String.class,
        flow -> flow.input().step("write", String.class, n -> "report of " + n + " orders"));
  }

  private static Pipeline<String, String> archive() {
    return Pipeline.define(
        "archive",
        String.class,
        String.class,
        flow -> flow.input().step("store", String.class, what -> what + "d"));
  }

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(load(), report(), archive()).start()) {
      Run<Integer> loaded = standpipe.start(load(), 3);
      Run<String> reported = loaded.then(report());
      Run<String> archived = standpipe.after(loaded, reported).start(archive(), "archive");
      System.out.println(reported.await(ofMinutes(1)));
      System.out.println(archived.await(ofMinutes(1)));

      Run<Integer> failed = standpipe.start(load(), -1);
      Run<String> never = failed.then(report());
      Run<String> neverEither = never.then(archive());
      try {
        neverEither.await(ofMinutes(1));
      } catch (RunFailedException e) {
        System.out.println(failed.status() + ", then " + never.status() + " and " + e.status());
      }
    }
  }
}
