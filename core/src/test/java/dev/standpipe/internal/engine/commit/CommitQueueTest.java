package dev.standpipe.internal.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.execute.Attempts;
import dev.standpipe.internal.engine.execute.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommitQueueTest {
  private final CommitQueue commitQueue = new CommitQueue();

  private static Outcome of(Attempt attempt) {
    return new Outcome(attempt, 0, new Outcome.GivenBack());
  }

  private static Outcome together(long task) {
    return of(Attempts.attempt(task));
  }

  private static Outcome apart(long task) {
    return of(Attempts.settledApart(task));
  }

  private List<Long> take(int values) {
    return commitQueue.take(values, Long.MAX_VALUE).stream()
        .map(outcome -> outcome.attempt().ref.id())
        .toList();
  }

  @Test
  void batchesAreTakenInOrderUpToTheLimit() {
    for (long task = 1; task <= 5; task++) {
      commitQueue.add(together(task));
    }
    assertThat(take(3)).containsExactly(1L, 2L, 3L);
    assertThat(commitQueue.size()).isEqualTo(2);
    assertThat(take(3)).containsExactly(4L, 5L);
    assertThat(take(3)).isEmpty();
    assertThat(commitQueue.isEmpty()).isTrue();
  }

  @Test
  void largeValuesGoInSmallerBatches() {
    String large = "x".repeat(1_000);
    for (long task = 1; task <= 4; task++) {
      Outcome.AttemptEnding ending = new Outcome.Returned(List.of(large));
      commitQueue.add(new Outcome(Attempts.attempt(task), 0, ending));
    }
    assertThat(commitQueue.take(200, 1_500)).hasSize(2);
    assertThat(commitQueue.take(200, 1)).as("never none").hasSize(1);
    assertThat(commitQueue.take(200, 1_500)).hasSize(1);
  }

  @Test
  void whatIsSettledApartIsCommittedInItsOwnBatch() {
    commitQueue.add(apart(1));
    commitQueue.add(together(2));
    commitQueue.add(apart(3));
    commitQueue.add(together(4));
    commitQueue.add(apart(5));
    assertThat(commitQueue.size()).isEqualTo(5);
    assertThat(take(2)).containsExactly(1L, 3L);
    assertThat(take(10)).containsExactly(2L, 4L);
    assertThat(commitQueue.isEmpty()).isFalse();
    assertThat(take(10)).containsExactly(5L);
    assertThat(commitQueue.size()).isZero();
  }
}
