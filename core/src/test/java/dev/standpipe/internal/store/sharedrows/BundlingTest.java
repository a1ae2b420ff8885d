package dev.standpipe.internal.store.sharedrows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Runs.NewRun;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BundlingTest {
  private static final Entry FIRST = new Entry("first", 1);

  private static NewRun run(int priority, long delayMicros, @Nullable UUID owner) {
    return new NewRun(new UUID(1, 1), null, null, priority, "{}", "1", delayMicros, owner);
  }

  private static List<NewRun> runs(int count) {
    return Collections.nCopies(count, run(0, 0, null));
  }

  private static List<@Nullable UUID> bundles(List<NewRun> runs) {
    return Bundling.of(runs, List.of(FIRST));
  }

  @Test
  void fewRunsHaveTheirOwnTasks() {
    assertThat(bundles(runs(100))).hasSize(100).containsOnlyNulls();
    assertThat(bundles(List.of())).isEmpty();
  }

  @Test
  void manyRunsShareBundlesInOrder() {
    assertThat(new HashSet<>(bundles(runs(101)))).hasSize(1).doesNotContainNull();
    List<@Nullable UUID> bundles = bundles(runs(2_500));
    assertThat(new HashSet<>(bundles)).hasSize(3).doesNotContainNull();
    assertThat(new HashSet<>(bundles.subList(0, 1_000))).hasSize(1);
    assertThat(new HashSet<>(bundles.subList(1_000, 2_000))).hasSize(1);
    assertThat(new HashSet<>(bundles.subList(2_000, 2_500))).hasSize(1);
  }

  @Test
  void onlyRunsOfOnePriorityShareABundle() {
    List<NewRun> runs = new ArrayList<>();
    IntStream.range(0, 300).forEach(i -> runs.add(run(i % 2, 0, null)));
    IntStream.range(0, 100).forEach(i -> runs.add(run(7, 0, null)));
    List<@Nullable UUID> bundles = bundles(runs);
    assertThat(bundles.get(0)).isNotNull().isEqualTo(bundles.get(298));
    assertThat(bundles.get(1)).isNotNull().isEqualTo(bundles.get(299));
    assertThat(bundles.get(0)).isNotEqualTo(bundles.get(1));
    assertThat(bundles.subList(300, 400)).containsOnlyNulls();
  }

  @Test
  void delayedAndOwnedRunsHaveTheirOwnTasks() {
    List<NewRun> runs = new ArrayList<>(runs(200));
    runs.add(run(0, 1, null));
    runs.add(run(0, 0, new UUID(2, 2)));
    assertThat(bundles(runs).subList(200, 202)).containsOnlyNulls();
    assertThat(bundles(runs).subList(0, 200)).doesNotContainNull();
  }

  @Test
  void runsWithSeveralFirstStepsHaveTheirOwnTasks() {
    assertThat(Bundling.of(runs(500), List.of(FIRST, new Entry("second", 2)))).containsOnlyNulls();
  }
}
