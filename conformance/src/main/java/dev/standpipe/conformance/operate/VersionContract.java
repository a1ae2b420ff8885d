package dev.standpipe.conformance.operate;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.SHORT_LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.spi.Event.WorkUnserved;
import org.junit.jupiter.api.Test;

/** Pipelines whose graph changes while runs of the old one are under way. */
public interface VersionContract extends EnginePart {
  /** As it was. */
  private static Pipeline<String, String> before() {
    return Pipeline.define(
        "changing",
        String.class,
        String.class,
        flow -> flow.input().step("a", String.class, text -> text + " old"));
  }

  /** As it is now. */
  private static Pipeline<String, String> now() {
    return Pipeline.define(
        "changing",
        String.class,
        String.class,
        flow ->
            flow.input()
                .step("a", String.class, text -> text + " new")
                .step("b", String.class, text -> text + " newer"));
  }

  @Test
  default void aRunOfAnOldGraphWaitsForItsProcess() throws InterruptedException {
    Pipeline<String, String> before = before();
    Pipeline<String, String> now = now();
    Heard heard = new Heard();
    Run<String> old = engine().client().start(before, "run");
    Standpipe newer = engine().start(engine().process(now).lease(SHORT_LEASE).listener(heard));
    assertThat(newer.start(now, "run").await(PATIENCE)).isEqualTo("run new newer");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(heard.all(WorkUnserved.class)).isNotEmpty());
    assertThat(heard.all(WorkUnserved.class))
        .containsExactly(new WorkUnserved("changing", before.graph().hash()));
    assertThat(old.status()).isEqualTo(RunStatus.RUNNING);
    assertThat(old.attempts()).isEmpty();

    engine().serve(before);
    assertThat(old.await(PATIENCE)).isEqualTo("run old");
  }

  @Test
  default void aClientStartsTheNewestByName() throws InterruptedException {
    Pipeline<String, String> before = before();
    Pipeline<String, String> now = now();
    engine().serve(before);
    engine().serve(now);
    assertThat(engine().client().start("changing", "run", RunOptions.none()).await(PATIENCE))
        .isEqualTo("run new newer");
  }

  @Test
  default void oldAndNewDefinitionsAreServedSideBySide() throws InterruptedException {
    Pipeline<String, String> before = before();
    Pipeline<String, String> now = now();
    Standpipe older = engine().serve(before);
    Standpipe newer = engine().serve(now);
    for (int i = 0; i < 20; i++) {
      Run<String> first = older.start(now, "run");
      Run<String> second = newer.start(before, "run");
      assertThat(first.await(PATIENCE)).isEqualTo("run new newer");
      assertThat(second.await(PATIENCE)).isEqualTo("run old");
    }
  }
}
