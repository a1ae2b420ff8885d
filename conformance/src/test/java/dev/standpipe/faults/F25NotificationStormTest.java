package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.server.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * F25: fifty writers start runs and all notify. They get at least nine tenths of what they get
 * without notifications. Measured in turns, by the median of the ratios, and again while a noisy
 * machine leaves doubt.
 */
class F25NotificationStormTest {
  private static final int WRITERS = 50;
  private static final int STARTS = Soak.count("starts", 20, 400);
  private static final int FEWEST = 5;
  private static final int MOST = 25;
  private static final double ENOUGH = 0.9;

  private final Pipeline<String, String> pipeline =
      EngineFixture.single("storm", (text, ctx) -> text);

  @Test
  void notificationsCostTheirWritersATenthAtMost() {
    try (HikariDataSource pool =
            PostgresServer.pool(
                PostgresServer.shared().freshDatabase(), WRITERS + 10, Duration.ofSeconds(30));
        EngineFixture processes = new EngineFixture(pool)) {
      Standpipe loud = processes.client();
      Standpipe quiet = processes.start(processes.process().notifications(false));
      storm(loud);
      storm(quiet);
      List<Double> ratios = new ArrayList<>();
      while (ratios.size() < FEWEST || (median(ratios) < ENOUGH && ratios.size() < MOST)) {
        boolean loudFirst = ratios.size() % 2 == 0;
        double first = storm(loudFirst ? loud : quiet);
        double second = storm(loudFirst ? quiet : loud);
        ratios.add(loudFirst ? first / second : second / first);
      }
      System.out.printf(
          Locale.ROOT, "F25: ratio %.2f over %d turns%n", median(ratios), ratios.size());
      assertThat(median(ratios)).isGreaterThanOrEqualTo(ENOUGH);
    }
  }

  /** How many runs a second the writers start together. */
  private double storm(Standpipe standpipe) {
    long startedAt = System.nanoTime();
    Racers.race(
        WRITERS,
        number -> {
          for (int i = 0; i < STARTS; i++) {
            standpipe.start(pipeline, "x");
          }
          return number;
        });
    return WRITERS * STARTS * 1e9 / (System.nanoTime() - startedAt);
  }

  private static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }
}
