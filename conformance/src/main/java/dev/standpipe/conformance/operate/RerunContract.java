package dev.standpipe.conformance.operate;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.operate.Operator;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What users see of a rerun, through the API. */
public interface RerunContract extends EnginePart {
  private static Pipeline<String, String> printing(AtomicBoolean broken, String suffix) {
    return Pipeline.define(
        "printing",
        String.class,
        String.class,
        flow ->
            flow.input()
                .step(
                    "print" + suffix,
                    String.class,
                    text -> {
                      if (broken.get()) {
                        throw new IOException("the press is jammed");
                      }
                      return text + suffix;
                    })
                .retry(Retry.fixed(Duration.ZERO).limit(0)));
  }

  @Test
  default void aRerunKeepsTheInputAndLinksTheOriginal() throws InterruptedException {
    AtomicBoolean broken = new AtomicBoolean(true);
    Pipeline<String, String> pipeline = printing(broken, "");
    Standpipe standpipe = engine().serve(pipeline);
    RunOptions options = RunOptions.key("k").priority(7).label("city", "Graz");
    Run<String> original = standpipe.start(pipeline, "x", options);
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> original.await(PATIENCE));
    broken.set(false);
    Operator eve = standpipe.operator("eve");
    Run<String> first = standpipe.run(pipeline, eve.rerun(original.id(), "mended"));
    Run<String> second = standpipe.run(pipeline, eve.rerun(original.id(), "once more"));
    assertThat(first.await(PATIENCE)).isEqualTo("x");
    assertThat(second.await(PATIENCE)).isEqualTo("x");
    RunInfo info = first.info();
    assertThat(info.rerunOf()).contains(original.id());
    assertThat(info.key()).isEmpty();
    assertThat(info.priority()).isEqualTo(7);
    assertThat(info.labels()).isEqualTo(Map.of("city", "Graz"));
    assertThat(info.reruns()).isEmpty();
    assertThat(original.info().reruns()).containsExactlyInAnyOrder(first.id(), second.id());
    assertThat(original.info().rerunOf()).isEmpty();
    assertThat(original.status()).isEqualTo(RunStatus.HALTED);
    assertThat(engine().query("select actor, action, reason from standpipe_audit order by id"))
        .containsExactly("eve|rerun|mended", "eve|rerun|once more");
    assertThat(
            engine()
                .query(
                    "select count(*) from standpipe_audit where run_id = '" + original.id() + "'"))
        .containsExactly("2");
  }

  @Test
  default void aRerunUsesTheNewestDefinition() throws InterruptedException {
    AtomicBoolean fine = new AtomicBoolean();
    Pipeline<String, String> old = printing(fine, "1");
    Run<String> original;
    try (Standpipe before = engine().process(old).start()) {
      original = before.start(old, "x");
      assertThat(original.await(PATIENCE)).isEqualTo("x1");
    }
    Pipeline<String, String> newer = printing(fine, "2");
    Standpipe standpipe = engine().serve(newer);
    UUID again = standpipe.operator("eve").rerun(original.id(), "with the new press");
    assertThat(standpipe.run(newer, again).await(PATIENCE)).isEqualTo("x2");
  }

  @Test
  default void anUnknownRunCannotBeRerun() {
    Operator eve = engine().client().operator("eve");
    assertThatExceptionOfType(UnknownRunException.class)
        .isThrownBy(() -> eve.rerun(UUID.randomUUID(), "nobody"));
    assertThat(engine().query("select count(*) from standpipe_run")).containsExactly("0");
  }
}
