package dev.standpipe.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final Duration YOUTH = Duration.ofSeconds(10);
  private final Backoff backoff = new Backoff(YOUTH);

  @Test
  void theBackoffDoublesWithEveryEarlyDeath() {
    assertThat(backoff.after(Duration.ZERO)).isEqualTo(Duration.ofMillis(250));
    assertThat(backoff.after(Duration.ofSeconds(9))).isEqualTo(Duration.ofMillis(500));
    Duration last = Duration.ZERO;
    for (int i = 0; i < 20; i++) {
      last = backoff.after(Duration.ZERO);
    }
    assertThat(last).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void aLongLivedChildResetsTheBackoff() {
    backoff.after(Duration.ZERO);
    backoff.after(Duration.ZERO);
    assertThat(backoff.after(YOUTH)).isZero();
    assertThat(backoff.after(Duration.ZERO)).isEqualTo(Duration.ofMillis(250));
  }
}
