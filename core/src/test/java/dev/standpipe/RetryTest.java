package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private final Exception error = new Exception("failed");

  @Test
  void delaysDoubleFromTheFirst() {
    Retry retry = Retry.exponential(SECOND).jitter(0);
    assertThat(retry.delayAfter(1)).isEqualTo(SECOND);
    assertThat(retry.delayAfter(2)).isEqualTo(Duration.ofSeconds(2));
    assertThat(retry.delayAfter(3)).isEqualTo(Duration.ofSeconds(4));
    assertThat(retry.delayAfter(7)).isEqualTo(Duration.ofSeconds(64));
  }

  @Test
  void delaysStopGrowingAtTheCap() {
    assertThat(Retry.exponential(SECOND).jitter(0).delayAfter(100))
        .isEqualTo(Duration.ofMinutes(5));
    Retry retry = Retry.exponential(SECOND).jitter(0).cap(Duration.ofSeconds(3));
    assertThat(retry.delayAfter(2)).isEqualTo(Duration.ofSeconds(2));
    assertThat(retry.delayAfter(3)).isEqualTo(Duration.ofSeconds(3));
    assertThat(retry.delayAfter(Integer.MAX_VALUE)).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void jitterSpreadsADelayWithinItsShare() {
    Retry retry = Retry.exponential(SECOND).jitter(0.2);
    assertThat(millisAfter(retry, 2))
        .allMatch(delay -> delay >= 1_600 && delay <= 2_400)
        .anyMatch(delay -> delay < 1_650)
        .anyMatch(delay -> delay > 2_350);
  }

  @Test
  void jitterNeverExceedsTheCap() {
    Retry retry = Retry.exponential(SECOND).jitter(0.5).cap(Duration.ofSeconds(3));
    assertThat(millisAfter(retry, 20))
        .allMatch(delay -> delay >= 1_000 && delay <= 3_000)
        .anyMatch(delay -> delay < 1_200)
        .anyMatch(delay -> delay > 2_800);
  }

  @Test
  void aFixedDelayStaysTheSame() {
    Retry retry = Retry.fixed(SECOND);
    assertThat(retry.limit()).isEqualTo(3);
    assertThat(retry.delayAfter(1)).isEqualTo(SECOND);
    assertThat(retry.delayAfter(3)).isEqualTo(SECOND);
  }

  @Test
  void jitterSpreadsAFixedDelayToBothSides() {
    assertThat(millisAfter(Retry.fixed(SECOND).jitter(0.5), 1))
        .allMatch(delay -> delay >= 500 && delay <= 1_500)
        .anyMatch(delay -> delay < 900)
        .anyMatch(delay -> delay > 1_100);
  }

  @Test
  void theLimitCountsRetriesNotAttempts() {
    Retry retry = Retry.fixed(SECOND).limit(2);
    assertThat(retry.allows(1, error)).isTrue();
    assertThat(retry.allows(2, error)).isTrue();
    assertThat(retry.allows(3, error)).isFalse();
  }

  @Test
  void threeRetriesAreTheStandard() {
    assertThat(Retry.standard().limit()).isEqualTo(3);
    assertThat(Retry.standard().allows(3, error)).isTrue();
    assertThat(Retry.standard().allows(4, error)).isFalse();
    assertThat(millisAfter(Retry.standard(), 3))
        .allMatch(delay -> delay >= 3_200 && delay <= 4_800);
  }

  @Test
  void neverMeansTheFirstFailureIsFinal() {
    assertThat(Retry.never().allows(1, error)).isFalse();
  }

  @Test
  void onlyFailuresThePredicateAcceptsAreRetried() {
    Retry retry = Retry.standard().when(IOException.class::isInstance);
    assertThat(retry.allows(1, new IOException())).isTrue();
    assertThat(retry.allows(1, error)).isFalse();
  }

  @Test
  void giveUpOnAddsToEarlierRules() {
    Retry retry =
        Retry.standard()
            .when(IOException.class::isInstance)
            .giveUpOn(FileNotFoundException.class)
            .giveUpOn(UnknownHostException.class);
    assertThat(retry.allows(1, new IOException())).isTrue();
    assertThat(retry.allows(1, new FileNotFoundException())).isFalse();
    assertThat(retry.allows(1, new UnknownHostException())).isFalse();
    assertThat(retry.allows(1, error)).isFalse();
  }

  @Test
  void aThrowingPredicateMeansNoRetry() {
    IllegalStateException broken = new IllegalStateException("broken predicate");
    Retry retry =
        Retry.standard()
            .when(
                error -> {
                  throw broken;
                });
    Exception failure = new Exception("failed");
    assertThat(retry.allows(1, failure)).isFalse();
    assertThat(failure).hasSuppressedException(broken);
    assertThat(retry.allows(1, broken)).isFalse();
  }

  @Test
  void hugeDelaysDoNotOverflow() {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    assertThat(Retry.exponential(SECOND).jitter(0).cap(forever).delayAfter(3))
        .isEqualTo(Duration.ofSeconds(4));
    assertThat(Retry.exponential(SECOND).cap(forever).delayAfter(10_000))
        .isGreaterThan(Duration.ofDays(365));
    assertThat(Retry.fixed(forever).delayAfter(1)).isGreaterThan(Duration.ofDays(365));
  }

  @Test
  void aDelayOfZeroStaysZero() {
    assertThat(Retry.exponential(Duration.ZERO).delayAfter(1_000)).isZero();
    assertThat(Retry.exponential(Duration.ZERO).delayAfter(Integer.MAX_VALUE)).isZero();
    assertThat(Retry.standard().cap(Duration.ZERO).delayAfter(1)).isZero();
  }

  @Test
  void settingsOutOfRangeAreRefused() {
    Duration negative = Duration.ofMillis(-1);
    assertThatIllegalArgumentException().isThrownBy(() -> Retry.standard().limit(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> Retry.fixed(negative));
    assertThatIllegalArgumentException().isThrownBy(() -> Retry.exponential(negative));
    assertThatIllegalArgumentException().isThrownBy(() -> Retry.standard().cap(negative));
    for (double share : new double[] {-0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Retry.standard().jitter(share))
          .withMessageContaining(Double.toString(share));
    }
  }

  @Test
  void eachChangeIsACopy() {
    Retry standard = Retry.standard();
    Retry changed = standard.limit(9).jitter(0).cap(SECOND).when(error -> false);
    assertThat(standard.limit()).isEqualTo(3);
    assertThat(standard.allows(1, error)).isTrue();
    assertThat(changed.limit()).isEqualTo(9);
    assertThat(changed.allows(1, error)).isFalse();
  }

  private static Iterable<Long> millisAfter(Retry retry, int attempt) {
    return IntStream.range(0, 5_000).mapToObj(i -> retry.delayAfter(attempt).toMillis()).toList();
  }

  @Test
  void aSnoozeIsKeptWithinItsLimits() {
    assertThat(Retry.after(SECOND).delay()).isEqualTo(SECOND);
    assertThat(Retry.after(Duration.ZERO).delay()).isEqualTo(Duration.ofMillis(100));
    assertThat(Retry.after(Duration.ofDays(-1)).delay()).isEqualTo(Duration.ofMillis(100));
    assertThat(Retry.after(ChronoUnit.FOREVER.getDuration()).delay())
        .isEqualTo(Duration.ofDays(36_500));
  }
}
