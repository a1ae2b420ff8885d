package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Deployment;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.TakeOver;
import java.util.List;

/**
 * A deploy while runs are under way: the new code calls a step by another name and adds one behind
 * it. A check tells beforehand which runs it cannot go on with, and why; told of the new name, it
 * takes them over. {@code standpipe check} does the same from a shell.
 */
public final class TakeOverExample {
  private TakeOverExample() {}

  private static Pipeline<String, String> before() {
    return Pipeline.define(
        "subscribe",
        String.class,
        String.class,
        flow ->
            flow.input()
                .await("confirmed", Boolean.class)
                .step("charge", String.class, yes -> "charged"));
  }

  private static Pipeline<String, String> after() {
    return Pipeline.define(
        "subscribe",
        String.class,
        String.class,
        flow ->
            flow.input()
                .await("confirmed", Boolean.class)
                .step("pay", String.class, yes -> "paid")
                .step("thank", String.class, paid -> paid + " with thanks"));
  }

  private record Release(List<Pipeline<?, ?>> pipelines, List<TakeOver> takeOvers)
      implements Deployment {}

  private static void check(Standpipe standpipe, String name, Release release) {
    System.out.println(
        name + ": " + standpipe.check(release).stream().map(i -> i.problems()).toList());
  }

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<String, String> before = before();
    Pipeline<String, String> after = after();
    TakeOver renamed = TakeOver.of(after).renamed("charge", "pay");
    try (HikariDataSource database = Database.open(args)) {
      Run<String> run;
      try (Standpipe old = Standpipe.on(database).serve(before).start()) {
        run = old.start(before, "ann");
        check(old, "new code", new Release(List.of(after), List.of()));
        check(old, "told of the name", new Release(List.of(after), List.of(renamed)));
      }
      try (Standpipe fresh = Standpipe.on(database).serve(after).takeOver(renamed).start()) {
        fresh.signal(run.id(), "confirmed", true);
        System.out.println("begun before: " + fresh.run(before, run.id()).await(ofMinutes(1)));
        Run<String> next = fresh.start(after, "bob");
        fresh.signal(next.id(), "confirmed", true);
        System.out.println("begun after: " + next.await(ofMinutes(1)));
      }
    }
  }
}
