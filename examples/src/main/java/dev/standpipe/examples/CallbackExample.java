package dev.standpipe.examples;

import static java.time.Duration.ZERO;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** What to do when a run has ended, kept as safe as the run itself. */
public final class CallbackExample {
  private CallbackExample() {}

  private static int print(int pages) {
    if (pages > 100) {
      throw new IllegalArgumentException("there is paper for 100 pages");
    }
    return pages;
  }

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    BlockingQueue<String> mails = new LinkedBlockingQueue<>();
    Pipeline<Integer, Integer> printing =
        Pipeline.define(
            "print-pages",
            Integer.class,
            Integer.class,
            flow -> {
              flow.onSuccess(end -> mails.add("printed " + end.output(Integer.class).orElse(0)));
              flow.onFailure(end -> mails.add("failed at " + end.haltNode().orElse("?")));
              return flow.input()
                  .step("print", Integer.class, CallbackExample::print)
                  .retry(Retry.fixed(ZERO).limit(0));
            });

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(printing).start()) {
      standpipe.start(printing, 3);
      System.out.println(mails.take());
      Run<Integer> tooMuch = standpipe.start(printing, 300);
      System.out.println(mails.take());
      System.out.println(tooMuch.status() + ", " + tooMuch.info().links().endCallbacks().size());
    }
  }
}
