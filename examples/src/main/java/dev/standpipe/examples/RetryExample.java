package dev.standpipe.examples;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import dev.standpipe.error.RunFailedException;
import java.io.IOException;

/**
 * A step that fails twice and then succeeds, with every try on record; and one whose failure is not
 * worth a retry, so its run is halted at once and {@code await} says why.
 */
public final class RetryExample {
  private RetryExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<String, String> fetch =
        Pipeline.define(
            "fetch",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step("download", String.class, RetryExample::download)
                    .retry(
                        Retry.exponential(ofMillis(20))
                            .limit(4)
                            .giveUpOn(IllegalArgumentException.class)));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(fetch).start()) {
      Run<String> good = standpipe.start(fetch, "https://example.org");
      System.out.println(good.await(ofMinutes(1)));
      good.attempts()
          .forEach(
              attempt ->
                  System.out.println(
                      "attempt "
                          + attempt.attempt()
                          + " "
                          + attempt.outcome()
                          + attempt.error().map(error -> ": " + error.message()).orElse("")));

      Run<String> bad = standpipe.start(fetch, "not a URL");
      try {
        bad.await(ofMinutes(1));
      } catch (RunFailedException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  private static String download(String url, StepContext ctx) throws IOException {
    if (!url.startsWith("https://")) {
      throw new IllegalArgumentException("\"" + url + "\" is no https address");
    }
    if (ctx.attempt() < 3) {
      throw new IOException("connection reset");
    }
    return "content of " + url;
  }
}
