package dev.standpipe.examples;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Standpipe;
import dev.standpipe.error.RunFailedException;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A trip that cannot be paid for: what was booked for it is given back, the last first. */
public final class CompensationExample {
  private CompensationExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    ConcurrentLinkedQueue<String> diary = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> trip =
        Pipeline.define(
            "book-trip",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step("flight", String.class, city -> book(diary, "flight"))
                    .compensate(booked -> diary.add("gave back " + booked))
                    .step("hotel", String.class, flight -> book(diary, "hotel"))
                    .compensate(booked -> diary.add("gave back " + booked))
                    .step("pay", String.class, hotel -> pay())
                    .retry(Retry.fixed(ZERO).limit(0)));

    System.out.println(trip.toMermaid());
    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(trip).start()) {
      standpipe.start(trip, "Oslo").await(ofMinutes(1));
    } catch (RunFailedException e) {
      System.out.println(String.join(", ", diary));
      System.out.println(e.status());
    }
  }

  private static String book(ConcurrentLinkedQueue<String> diary, String what) {
    diary.add("booked " + what);
    return what;
  }

  private static String pay() {
    throw new IllegalStateException("the card has expired");
  }
}
