package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.operate.Operator;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A run that was halted by a broken printer goes on once the printer is mended, without writing the
 * letter again; and a rerun does it all from the start.
 */
public final class ReviveExample {
  private ReviveExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    AtomicBoolean jammed = new AtomicBoolean(true);
    Pipeline<String, String> letter =
        Pipeline.define(
            "letter",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step(
                        "write",
                        String.class,
                        name -> {
                          System.out.println("writing to " + name);
                          return "Dear " + name;
                        })
                    .step(
                        "print",
                        String.class,
                        text -> {
                          if (jammed.get()) {
                            throw new IOException("paper jam");
                          }
                          return "printed: " + text;
                        })
                    .retry(Retry.fixed(Duration.ZERO).limit(1)));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(letter).start()) {
      Run<String> run = standpipe.start(letter, "Ada");
      try {
        run.await(ofMinutes(1));
      } catch (RunFailedException e) {
        System.out.println(e.status() + " at attempt " + e.attempt().orElseThrow().attempt());
      }
      jammed.set(false);
      Operator ann = standpipe.operator("ann");
      ann.revive(run.id(), "the printer is mended");
      System.out.println(run.await(ofMinutes(1)));

      Run<String> again = standpipe.run(letter, ann.rerun(run.id(), "one more copy"));
      System.out.println(again.await(ofMinutes(1)));
      System.out.println("linked: " + again.info().rerunOf().orElseThrow().equals(run.id()));
    }
  }
}
