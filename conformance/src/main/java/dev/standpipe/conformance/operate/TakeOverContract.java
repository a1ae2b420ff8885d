package dev.standpipe.conformance.operate;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.Deployment;
import dev.standpipe.Lane;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.TakeOver;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.DuplicatePipelineException;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.operate.Incompatibility;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What new code can go on with of what older code has begun. */
public interface TakeOverContract extends EnginePart {
  /** {@code order}, then {@code charge}. */
  private static Pipeline<String, String> before() {
    return Pipeline.define(
        "changed",
        String.class,
        String.class,
        flow ->
            flow.input()
                .step("order", String.class, text -> text + " ordered")
                .step("charge", String.class, text -> text + " charged"));
  }

  /** {@code charge} is called {@code pay}, and {@code thank} follows. */
  private static Pipeline<String, String> renamed() {
    return Pipeline.define(
        "changed",
        String.class,
        String.class,
        flow ->
            flow.input()
                .step("order", String.class, text -> text + " ordered")
                .step("pay", String.class, text -> text + " paid")
                .step("thank", String.class, text -> text + " thanked"));
  }

  /** {@code charge} is an expand now, and {@code order} gets something else. */
  private static Pipeline<String, String> reshaped() {
    return Pipeline.define(
        "changed",
        String.class,
        String.class,
        flow -> {
          Node<String> first = flow.input().step("first", String.class, text -> text);
          return first
              .step("order", String.class, text -> text)
              .expand("charge", String.class, text -> List.of(text))
              .collapse("all", String.class, list -> String.join("", list));
        });
  }

  private static Deployment served(Pipeline<?, ?>... pipelines) {
    return () -> List.of(pipelines);
  }

  private static Deployment takingOver(TakeOver takeOver) {
    return new Deployment() {
      @Override
      public List<Pipeline<?, ?>> pipelines() {
        return List.of(takeOver.pipeline());
      }

      @Override
      public List<TakeOver> takeOvers() {
        return List.of(takeOver);
      }
    };
  }

  @Test
  default void aCheckExplainsIncompatibleCode() {
    Standpipe client = engine().client();
    assertThat(client.check(served())).isEmpty();
    client.startAll(before(), List.of("x", "y"));
    Lane lane = Lane.of(before());
    assertThat(client.check(served(before()))).isEmpty();
    assertThat(client.check(served()))
        .containsExactly(
            new Incompatibility(lane, 2, List.of("no pipeline of this name is served")));
    assertThat(client.check(served(renamed())))
        .containsExactly(
            new Incompatibility(
                lane, 2, List.of("node \"charge\" is missing, unless it was renamed")));
    assertThat(client.check(served(reshaped())))
        .containsExactly(
            new Incompatibility(
                lane,
                2,
                List.of(
                    "node \"charge\" was a step and is an expand",
                    "node \"order\" had the values of [$input] as input and has those of [first]")));
    TakeOver takeOver = TakeOver.of(renamed());
    assertThat(client.check(takingOver(takeOver))).hasSize(1);
    assertThat(client.check(takingOver(takeOver.renamed("charge", "pay")))).isEmpty();
  }

  @Test
  default void aCheckCoversCalledAndFollowingRuns() throws InterruptedException {
    Pipeline<String, String> before = before();
    Pipeline<String, String> calling =
        Pipeline.define(
            "calling",
            String.class,
            String.class,
            flow -> {
              flow.onComplete(end -> {});
              return flow.input().call("changed", before);
            });
    Standpipe client = engine().client();
    client.start(before, "x");
    assertThat(client.check(served(calling))).isEmpty();
    client.start(calling, "y");
    Pipeline<String, String> silent =
        Pipeline.define(
            "calling", String.class, String.class, flow -> flow.input().call("changed", before));
    assertThat(client.check(served(silent)))
        .containsExactly(
            new Incompatibility(
                Lane.of(calling), 1, List.of("its callback onComplete is missing")));
  }

  @Test
  default void aCheckIgnoresEndedRuns() throws InterruptedException {
    Pipeline<String, String> before = before();
    Standpipe standpipe = engine().serve(before);
    standpipe.start(before, "x").await(PATIENCE);
    assertThat(standpipe.check(served())).isEmpty();
  }

  @Test
  default void compatibleCodeTakesOverOldRuns() throws InterruptedException {
    Run<String> old = engine().client().start(before(), "x");
    Pipeline<String, String> now = renamed();
    TakeOver takeOver = TakeOver.of(now).renamed("charge", "pay");
    Standpipe standpipe = engine().start(engine().process().serve(takingOver(takeOver)));
    assertThat(old.await(PATIENCE)).isEqualTo("x ordered paid");
    assertThat(standpipe.start(now, "y").await(PATIENCE)).isEqualTo("y ordered paid thanked");
    assertThat(old.steps()).extracting(step -> step.node()).containsExactly("charge", "order");
  }

  @Test
  default void incompatibleCodeLeavesOldRunsAlone() throws InterruptedException {
    Standpipe client = engine().client();
    Run<String> old = client.start(before(), "x");
    Pipeline<String, String> now = renamed();
    Standpipe standpipe = engine().start(engine().process().takeOver(TakeOver.of(now)));
    assertThat(standpipe.start(now, "y").await(PATIENCE)).isEqualTo("y ordered paid thanked");
    assertThat(old.status()).isEqualTo(RunStatus.RUNNING);
    assertThat(old.attempts()).isEmpty();
    engine().serve(before());
    assertThat(old.await(PATIENCE)).isEqualTo("x ordered charged");
  }

  @Test
  default void duplicateNamesAndWrongRenamesAreRefused() {
    assertThatExceptionOfType(DuplicatePipelineException.class)
        .isThrownBy(() -> engine().process(before(), renamed()))
        .withMessageContaining("\"changed\" and differ: node \"charge\" is missing")
        .withMessageContaining("give each its own name")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.DUPLICATE_PIPELINE));
    assertThatExceptionOfType(DuplicatePipelineException.class)
        .isThrownBy(() -> engine().process(before(), before()))
        .withMessageContaining("have the same graph");
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> TakeOver.of(renamed()).renamed("charge", "nowhere"))
        .withMessageContaining("has no such node")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_SETTING));
  }
}
