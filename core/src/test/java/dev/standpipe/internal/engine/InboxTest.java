package dev.standpipe.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.spi.Tasks.Part;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class InboxTest {
  private static final Part PART = new Part(new UUID(3, 3), 1, 1);

  private final Inbox inbox = new Inbox();

  private static Outcome of(Work work) {
    return new Outcome(work, 0, new Outcome.GivenBack());
  }

  private static Outcome single(long task) {
    return of(Works.work(task));
  }

  private static Outcome shared(long task) {
    return of(Works.inPart(task, PART));
  }

  private List<Long> take(int values) {
    return inbox.take(values, Long.MAX_VALUE).stream().map(outcome -> outcome.work().task).toList();
  }

  @Test
  void whatCameFirstGoesFirstAndOnlySoMuchAtOnce() {
    for (long task = 1; task <= 5; task++) {
      inbox.add(single(task));
    }
    assertThat(take(3)).containsExactly(1L, 2L, 3L);
    assertThat(inbox.size()).isEqualTo(2);
    assertThat(take(3)).containsExactly(4L, 5L);
    assertThat(take(3)).isEmpty();
    assertThat(inbox.isEmpty()).isTrue();
  }

  @Test
  void largeValuesGoInSmallerBatches() {
    String large = "x".repeat(1_000);
    for (long task = 1; task <= 4; task++) {
      Outcome.Ending ending = new Outcome.Returned(List.of(large));
      inbox.add(new Outcome(Works.work(task), 0, ending));
    }
    assertThat(inbox.take(200, 1_500)).hasSize(2);
    assertThat(inbox.take(200, 1)).as("never none").hasSize(1);
    assertThat(inbox.take(200, 1_500)).hasSize(1);
  }

  @Test
  void thoseThatShareRowsGoApartAndWhoHasWaitedLongestIsNext() {
    inbox.add(shared(1));
    inbox.add(single(2));
    inbox.add(shared(3));
    inbox.add(single(4));
    inbox.add(shared(5));
    assertThat(inbox.size()).isEqualTo(5);
    assertThat(take(2)).containsExactly(1L, 3L);
    assertThat(take(10)).containsExactly(2L, 4L);
    assertThat(inbox.isEmpty()).isFalse();
    assertThat(take(10)).containsExactly(5L);
    assertThat(inbox.size()).isZero();
  }
}
