package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.operate.BulkResult;
import dev.standpipe.operate.Operator;
import dev.standpipe.operate.RunFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Many runs have failed for one reason. When that is mended, those of one region go on. */
public final class BulkExample {
  private BulkExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    AtomicBoolean mended = new AtomicBoolean();
    Pipeline<String, String> parcel =
        Pipeline.define(
            "parcel",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step(
                        "label",
                        String.class,
                        city -> {
                          if (!mended.get()) {
                            throw new IOException("the printer is out of paper");
                          }
                          return "to " + city;
                        })
                    .retry(Retry.never()));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(parcel).start()) {
      List<Run<String>> runs = new ArrayList<>();
      for (String city : List.of("Graz", "Linz", "Oslo")) {
        String region = city.equals("Oslo") ? "north" : "south";
        runs.add(standpipe.start(parcel, city, RunOptions.none().label("region", region)));
      }
      for (Run<String> run : runs) {
        awaitFailure(run);
      }

      Operator ann = standpipe.operator("ann");
      RunFilter south = RunFilter.where().pipeline("parcel").label("region", "south");
      long count = ann.bulk(south).dryRun().revive("there is paper").matched();
      System.out.println(count + " would be revived");
      mended.set(true);
      BulkResult revived = ann.bulk(south).revive("there is paper");
      System.out.println(revived.changed() + " revived");
      System.out.println(runs.get(0).await(ofMinutes(1)));
      System.out.println(runs.get(1).await(ofMinutes(1)));
      System.out.println("Oslo is " + runs.get(2).status());

      RunFilter halted = RunFilter.where().status(RunStatus.HALTED);
      System.out.println(ann.bulk(halted).rerun("for the north").changed() + " started again");
    }
  }

  private static void awaitFailure(Run<String> run) throws InterruptedException {
    try {
      run.await(ofMinutes(1));
    } catch (RunFailedException e) {
      System.out.println(e.attempt().orElseThrow().error().orElseThrow().message());
    }
  }
}
