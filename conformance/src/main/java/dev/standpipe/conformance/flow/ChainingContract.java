package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.Audit;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.DuplicateKeyException;
import dev.standpipe.error.NotRevivableException;
import dev.standpipe.error.RunFailedException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What users see of runs that wait for others, through the API. */
public interface ChainingContract extends EnginePart {
  private static Pipeline<String, Integer> counting() {
    return Pipeline.define(
        "counting",
        String.class,
        Integer.class,
        flow -> flow.input().step("count", Integer.class, String::length));
  }

  private static Pipeline<Integer, String> telling() {
    return Pipeline.define(
        "telling",
        Integer.class,
        String.class,
        flow -> flow.input().step("tell", String.class, n -> "n=" + n));
  }

  private static Pipeline<String, String> failing() {
    return single(
        "failing",
        (text, ctx) -> {
          throw new IOException("jammed");
        },
        step -> step.retry(Retry.fixed(Duration.ZERO).limit(0)));
  }

  @Test
  default void chainedRunsPassTheirResultsOn() throws InterruptedException {
    Standpipe standpipe = engine().serve(counting(), telling());
    Run<Integer> first = standpipe.start(counting(), "four");
    Run<String> second = first.then(telling());
    Run<Integer> third = second.then(counting());
    Run<Integer> besides = second.then(counting());
    assertThat(third.await(PATIENCE)).isEqualTo(3);
    assertThat(besides.await(PATIENCE)).isEqualTo(3);
    assertThat(second.await(PATIENCE)).isEqualTo("n=4");
    assertThat(first.info().links().downstreams()).containsExactly(second.id());
    assertThat(second.info().links().upstreams()).containsExactly(first.id());
    assertThat(second.info().links().downstreams())
        .containsExactlyInAnyOrder(third.id(), besides.id());
    assertThat(first.then(telling()).await(PATIENCE)).as("added late").isEqualTo("n=4");
    new Audit(engine().source(), List.of()).assertHistoriesAgree();
  }

  @Test
  default void aRunWaitingForUpstreamsShowsAsWaiting() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    Pipeline<String, String> slow =
        single(
            "slow",
            (text, ctx) -> {
              end.await();
              return text;
            });
    Standpipe standpipe = engine().serve(slow, counting());
    Run<String> one = standpipe.start(slow, "one");
    Run<Integer> two = standpipe.start(counting(), "two");
    Run<Integer> both = standpipe.after(one, two).start(counting(), "both");
    two.await(PATIENCE);
    assertThat(both.status()).isEqualTo(RunStatus.WAITING);
    assertThat(standpipe.doctor()).isEmpty();
    assertThatExceptionOfType(NotRevivableException.class)
        .isThrownBy(() -> standpipe.operator("ann").revive(both.id(), "now"))
        .withMessageContaining("is waiting");
    end.countDown();
    assertThat(both.await(PATIENCE)).isEqualTo(4);
  }

  @Test
  default void anUnsuccessfulRunSkipsItsDownstreams() {
    ConcurrentLinkedQueue<RunStatus> told = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> last =
        Pipeline.define(
            "last",
            String.class,
            String.class,
            flow -> {
              flow.onComplete(ended -> told.add(ended.status()));
              flow.onFailure(ended -> told.add(RunStatus.HALTED));
              return flow.input().step("work", String.class, text -> text);
            });
    Standpipe standpipe = engine().serve(failing(), last);
    Run<String> first = standpipe.start(failing(), "x");
    Run<String> second = first.then(failing());
    Run<String> third = second.then(last);
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> third.await(PATIENCE))
        .withMessageContaining("ended skipped")
        .satisfies(e -> assertThat(e.status()).isEqualTo(RunStatus.SKIPPED));
    assertThat(second.status()).isEqualTo(RunStatus.SKIPPED);
    assertThat(third.steps()).isEmpty();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(told).containsExactly(RunStatus.SKIPPED));
    assertThat(second.then(last).status()).as("added late").isEqualTo(RunStatus.SKIPPED);
    assertThatExceptionOfType(NotRevivableException.class)
        .isThrownBy(() -> standpipe.operator("ann").revive(third.id(), "why not"))
        .withMessageContaining("is skipped");
  }

  @Test
  default void aWaitingRunCanBeCanceled() throws InterruptedException {
    Standpipe standpipe = engine().serve(counting(), telling());
    Run<Integer> first =
        standpipe.start(counting(), "x", RunOptions.none().delay(Duration.ofHours(1)));
    Run<String> second = first.then(telling());
    Run<Integer> third = second.then(counting());
    assertThat(standpipe.operator("ann").cancel(second.id(), "not needed"))
        .isEqualTo(RunStatus.CANCELED);
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> third.await(PATIENCE));
    assertThat(third.status()).isEqualTo(RunStatus.SKIPPED);
    assertThat(first.status()).isEqualTo(RunStatus.RUNNING);
    assertThatExceptionOfType(NotRevivableException.class)
        .isThrownBy(() -> standpipe.operator("ann").revive(second.id(), "after all"))
        .withMessageContaining("never began");
    assertThatExceptionOfType(NotRevivableException.class)
        .isThrownBy(() -> standpipe.operator("ann").rerun(second.id(), "after all"))
        .withMessageContaining("never began");
  }

  @Test
  default void aChainedRunsDelayBeginsWhenItsUpstreamEnds() throws InterruptedException {
    Standpipe standpipe = engine().serve(counting(), telling());
    Run<Integer> first = standpipe.start(counting(), "four");
    Run<String> second =
        first.then(telling(), RunOptions.none().delay(Duration.ofMillis(300)).priority(3));
    assertThat(second.await(PATIENCE)).isEqualTo("n=4");
    assertThat(second.info().priority()).isEqualTo(3);
    Duration between =
        Duration.between(
            first.info().finishedAt().orElseThrow(), second.info().finishedAt().orElseThrow());
    assertThat(between).isGreaterThanOrEqualTo(Duration.ofMillis(300));
  }

  @Test
  default void aKeyMakesALinkIdempotent() throws InterruptedException {
    Standpipe standpipe = engine().serve(counting(), telling());
    Run<Integer> first = standpipe.start(counting(), "four");
    Run<Integer> other = standpipe.start(counting(), "other");
    RunOptions key = RunOptions.key("k");
    Run<String> second = first.then(telling(), key);
    assertThat(first.then(telling(), key).id()).isEqualTo(second.id());
    assertThatExceptionOfType(DuplicateKeyException.class)
        .isThrownBy(() -> other.then(telling(), key));
    assertThat(second.await(PATIENCE)).isEqualTo("n=4");
    assertThat(engine().query("select count(*) from standpipe_chain")).containsExactly("1");
    Run<Integer> last = standpipe.after(first).start(counting(), "abc", RunOptions.key("l"));
    assertThat(standpipe.after(first).start(counting(), "abc", RunOptions.key("l")).id())
        .isEqualTo(last.id());
    assertThat(last.await(PATIENCE)).isEqualTo(3);
  }
}
