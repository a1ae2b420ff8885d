package dev.standpipe.examples;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import java.io.IOException;
import java.util.List;

/**
 * One long body that is tried again: its calls are committed one by one, so the second try makes
 * none of them again, and its loop goes on where the first one was.
 */
public final class OnceExample {
  private OnceExample() {}

  /** An invoice of a billing system. */
  public record Invoice(String number) {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<String, String> billing =
        Pipeline.define(
            "billing",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step("bill", String.class, OnceExample::bill)
                    .retry(Retry.fixed(ofMillis(20)))
                    .stallTimeout(ofMinutes(5)));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(billing).start()) {
      Run<String> run = standpipe.start(billing, "ann");
      System.out.println(run.await(ofMinutes(1)));
      run.subSteps("bill", 0).forEach(call -> System.out.println("sub-step " + call.key()));
    }
  }

  private static String bill(String customer, StepContext ctx) throws IOException {
    Invoice invoice =
        ctx.once("invoice", Invoice.class, () -> create(customer, ctx.idempotencyKey("invoice")));
    List<String> lines = List.of("tea", "milk", "bread");
    int from = ctx.checkpoint(Integer.class).orElse(0);
    for (int i = from; i < lines.size(); i++) {
      System.out.println("attempt " + ctx.attempt() + " books " + lines.get(i));
      ctx.checkpoint(i + 1);
      ctx.progress(i + 1, lines.size(), lines.get(i));
      if (ctx.attempt() == 1 && i == 1) {
        throw new IOException("connection reset");
      }
    }
    ctx.once("mail", () -> System.out.println("mailed " + invoice.number()));
    return "billed " + customer + " by " + invoice.number();
  }

  /** What a billing system would do; it knows the key again if it is asked twice. */
  private static Invoice create(String customer, String idempotencyKey) {
    System.out.println("created an invoice for " + customer);
    return new Invoice("invoice-" + idempotencyKey.length());
  }
}
