package dev.standpipe.internal.engine.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.internal.engine.loop.Machine;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThroughputTest {
  private final Throughput pace = new Throughput(Machine.REAL);

  @Test
  void throughputStartsAtZero() {
    assertThat(pace.perSecond()).isZero();
    pace.count(0);
    assertThat(pace.perSecond()).isZero();
  }

  @Test
  void aSteadyPaceIsMeasured() {
    long began = System.nanoTime();
    long counted = 0;
    while (System.nanoTime() - began < TimeUnit.MILLISECONDS.toNanos(400)) {
      long due = (System.nanoTime() - began) / TimeUnit.MICROSECONDS.toNanos(500);
      pace.count((int) (due - counted));
      counted = due;
    }
    assertThat(pace.perSecond()).isBetween(1_000.0, 4_000.0);
  }

  @Test
  void aSlowerPaceIsMeasured() {
    while (pace.perSecond() == 0) {
      pace.count(100_000);
    }
    double fast = pace.perSecond();
    long began = System.nanoTime();
    while (pace.perSecond() > fast / 100) {
      pace.count(0);
      assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(20));
    }
    assertThat(fast).isPositive();
  }
}
