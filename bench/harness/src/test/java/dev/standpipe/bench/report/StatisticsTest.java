package dev.standpipe.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StatisticsTest {
  @Test
  void theMedianIgnoresTheOrder() {
    assertThat(Statistics.median(3, 1, 2)).isEqualTo(2);
    assertThat(Statistics.median(4, 1, 3, 2)).isEqualTo(2.5);
  }

  @Test
  void theMedianIgnoresMissingValues() {
    assertThat(Statistics.median(Double.NaN, 5)).isEqualTo(5);
    assertThat(Statistics.median(Double.NaN)).isNaN();
  }

  @Test
  void aPercentileIsTheNearestRank() {
    double[] values = LongStream.rangeClosed(1, 1_000).asDoubleStream().toArray();

    assertThat(Statistics.percentile(values, 0.5)).isEqualTo(500);
    assertThat(Statistics.percentile(values, 0.99)).isEqualTo(990);
    assertThat(Statistics.percentile(values, 0.999)).isEqualTo(999);
    assertThat(Statistics.percentile(values, 1)).isEqualTo(1_000);
    assertThat(Statistics.percentile(new double[0], 0.5)).isNaN();
  }
}
