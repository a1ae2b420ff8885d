package dev.standpipe.internal.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.StepFunction;
import dev.standpipe.definition.Vertex;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.port.Tasks.Claimed;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RecentResultsTest {
  private static final StepFunction<String, String> SAME = text -> text;

  private static final Pipeline<String, String> JOIN =
      Pipeline.define(
          "join",
          String.class,
          String.class,
          flow -> {
            Node<String> right = flow.input().step("right", String.class, SAME);
            Node<String> left = flow.input().step("left", String.class, SAME);
            Node<String> aside = flow.input().step("aside", String.class, SAME);
            Node.join(right, right).step("twice", String.class, (a, b) -> a + b);
            return Node.join(right, left).step("join", String.class, (a, b) -> a + b).after(aside);
          });

  private static final Vertex TARGET = JOIN.graph().vertex("join");

  private final RecentResults recentResults = new RecentResults();

  @Test
  void aJoinGetsItsInputsInTheirOrderOnce() {
    note(1, "left", "\"l\"");
    note(1, "right", "\"r\"");
    assertThat(recentResults.take(attempt(1, "join"))).hasValue(List.of("\"r\"", "\"l\""));
    assertThat(recentResults.take(attempt(1, "join"))).isEmpty();
  }

  @Test
  void aJoinGetsNothingIfAnInputIsMissing() {
    note(1, "left", "\"l\"");
    note(2, "right", "\"of another run\"");
    assertThat(recentResults.take(attempt(1, "join"))).isEmpty();
    note(1, "right", "\"r\"");
    assertThat(recentResults.take(attempt(1, "join"))).isPresent();
  }

  @Test
  void resultsWithoutAReaderAreNotKept() {
    note(1, "aside", "\"a\"");
    note(1, "left", "\"l\"");
    note(1, "right", "\"r\"");
    assertThat(recentResults.take(attempt(1, "join")).orElseThrow()).hasSize(2);
  }

  @Test
  void aLongValueIsNotKept() {
    note(1, "left", "\"" + "x".repeat(RecentResults.LONGEST) + "\"");
    note(1, "right", "\"r\"");
    assertThat(recentResults.take(attempt(1, "join"))).isEmpty();
  }

  @Test
  void theOldestResultsAreForgottenFirst() {
    note(0, "left", "\"l\"");
    note(0, "right", "\"r\"");
    for (int run = 1; run <= RecentResults.MOST / 2; run++) {
      note(run, "left", "\"l\"");
      note(run, "right", "\"r\"");
    }
    assertThat(recentResults.take(attempt(0, "join"))).isEmpty();
    assertThat(recentResults.take(attempt(1, "join"))).isPresent();
  }

  @Test
  void aJoinMayAskForTheSameValueTwice() {
    note(1, "right", "\"r\"");
    assertThat(recentResults.take(attempt(1, "twice"))).hasValue(List.of("\"r\"", "\"r\""));
  }

  private void note(int run, String step, String value) {
    recentResults.note(attempt(run, step), TARGET, value);
  }

  private static Attempt attempt(int run, String node) {
    Claimed claimed = new Claimed(new UUID(7, run), 1, node, 0, 1, 0, 1, 1, 0, true, 0);
    return Attempt.of(new UUID(1, 1), JOIN, claimed);
  }
}
