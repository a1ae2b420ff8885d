package dev.standpipe.internal.engine.expand;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.internal.engine.claim.Capacity;
import dev.standpipe.internal.engine.claim.InFlight;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.execute.Attempts;
import dev.standpipe.internal.engine.execute.Outcome;
import dev.standpipe.internal.engine.loop.Machine;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class ExpandThrottleTest {
  private final InFlight inFlight = new InFlight(new Capacity(4, 100, Machine.REAL), Machine.REAL);
  private final ExpandThrottle throttle = new ExpandThrottle(inFlight);

  @Test
  void largeExpandsRunTwoAtATime() {
    expand(1);
    assertThat(throttle.mayExpand()).isTrue();
    expand(2);
    observe(100_000);
    assertThat(throttle.mayExpand()).isFalse();
  }

  @Test
  void smallExpandsRunUnthrottled() {
    for (int task = 1; task <= 40; task++) {
      observe(3);
      expand(task);
    }
    assertThat(throttle.mayExpand()).isTrue();
  }

  @Test
  void waitingExpandsBlockNoOtherExpand() {
    inFlight.add(Attempts.expand(1));
    inFlight.add(Attempts.expand(2));
    inFlight.add(Attempts.expand(3));
    observe(100_000);
    assertThat(throttle.mayExpand()).isTrue();
  }

  @Test
  void expandsWaitWhileOtherTasksSuffice() {
    for (int task = 1; task <= 4; task++) {
      inFlight.add(Attempts.attempt(task));
    }
    assertThat(throttle.mayExpand()).isTrue();
    inFlight.add(Attempts.attempt(5));
    assertThat(throttle.mayExpand()).isFalse();
  }

  @Test
  void suspectExpandsAreNotThrottled() {
    assertThat(ExpandThrottle.concerns(Attempts.expand(1))).isTrue();
    assertThat(ExpandThrottle.concerns(Attempts.suspectExpand(1))).isFalse();
    assertThat(ExpandThrottle.concerns(Attempts.attempt(1))).isFalse();
  }

  private void expand(long task) {
    Attempt attempt = Attempts.expand(task);
    attempt.begin();
    inFlight.add(attempt);
  }

  private void observe(int elements) {
    Outcome.Returned values = new Outcome.Returned(Collections.nCopies(elements, "1"));
    throttle.observe(new Outcome(Attempts.expand(0), 0, values));
  }
}
