package dev.standpipe.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.junit.jupiter.api.Test;

class SurgeTest {
  private final Hold hold = new Hold(4, 100, Machine.REAL);
  private final Surge surge = new Surge(hold);

  @Test
  void expandsThatBringMuchAlongRunTwoAtATime() {
    expand(1);
    assertThat(surge.mayExpand()).isTrue();
    expand(2);
    observe(100_000);
    assertThat(surge.mayExpand()).isFalse();
  }

  @Test
  void expandsThatBringLittleAlongRunAsTheyCome() {
    for (int task = 1; task <= 40; task++) {
      observe(3);
      expand(task);
    }
    assertThat(surge.mayExpand()).isTrue();
  }

  @Test
  void oneThatWaitsToRunIsInNobodysWay() {
    hold.add(Works.expand(1));
    hold.add(Works.expand(2));
    hold.add(Works.expand(3));
    observe(100_000);
    assertThat(surge.mayExpand()).isTrue();
  }

  @Test
  void noneRunsWhileThereIsEnoughToDo() {
    for (int task = 1; task <= 4; task++) {
      hold.add(Works.work(task));
    }
    assertThat(surge.mayExpand()).isTrue();
    hold.add(Works.work(5));
    assertThat(surge.mayExpand()).isFalse();
  }

  @Test
  void aSuspectIsNotHeldBackAgain() {
    assertThat(Surge.concerns(Works.expand(1))).isTrue();
    assertThat(Surge.concerns(Works.suspectExpand(1))).isFalse();
    assertThat(Surge.concerns(Works.work(1))).isFalse();
  }

  private void expand(long task) {
    Work work = Works.expand(task);
    work.begin();
    hold.add(work);
  }

  private void observe(int elements) {
    Outcome.Returned values = new Outcome.Returned(Collections.nCopies(elements, "1"));
    surge.observe(new Outcome(Works.expand(0), 0, values));
  }
}
