package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.info.StepState;
import java.util.List;

/**
 * One of several ways: a selector names the arm that a value takes, the steps on the others are
 * skipped, and the arms converge to one value again. An arm may be empty, and an arm may divert.
 */
public final class DivertExample {
  private DivertExample() {}

  record Claim(String customer, int amount) {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<Claim, String> claims =
        Pipeline.define(
            "settle-claim",
            Claim.class,
            String.class,
            flow ->
                flow.input()
                    .divert("size", claim -> claim.amount() < 100 ? "small" : "large")
                    .on(
                        "small",
                        claim -> claim.step("pay", String.class, c -> "paid " + c.amount()))
                    .on(
                        "large",
                        claim ->
                            claim
                                .step("inspect", Integer.class, c -> c.amount() / 2)
                                .divert("worth", half -> half > 1_000 ? "sue" : "pay")
                                .on(
                                    "pay",
                                    half -> half.step("half", String.class, n -> "paid " + n))
                                .otherwise(half -> half.step("sue", String.class, n -> "to court"))
                                .converge())
                    .orHalt()
                    .converge());

    System.out.println(claims.toMermaid());
    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(claims).start()) {
      for (Claim claim :
          List.of(new Claim("ann", 30), new Claim("bob", 400), new Claim("cy", 9_000))) {
        Run<String> run = standpipe.start(claims, claim);
        String answer = run.await(ofMinutes(1));
        long skipped =
            run.steps().stream().filter(step -> step.state() == StepState.SKIPPED).count();
        System.out.println(claim.customer() + ": " + answer + ", " + skipped + " steps skipped");
      }
    }
  }
}
