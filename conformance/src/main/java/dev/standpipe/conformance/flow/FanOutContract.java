package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.Each;
import dev.standpipe.HaltReason;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.TypeToken;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.info.AttemptInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How many elements an expand may yield, and how they come together one by one. */
public interface FanOutContract extends EnginePart {
  private static Pipeline<Integer, Long> sum(UnaryOperator<Each<Integer>> special) {
    return Pipeline.define(
        "sum",
        Integer.class,
        Long.class,
        flow ->
            special
                .apply(
                    flow.input()
                        .expand(
                            "numbers", Integer.class, n -> IntStream.range(0, n).boxed().toList()))
                .step("twice", Integer.class, n -> 2 * n)
                .reduce("sum", Long.class, () -> 0L, Long::sum));
  }

  @Test
  default void anExpandMayYieldUpToItsLimit() throws InterruptedException {
    Pipeline<Integer, Long> sum = sum(each -> each.limit(3));
    assertThat(engine().serve(sum).start(sum, 3).await(PATIENCE)).isEqualTo(6L);
  }

  @Test
  default void oneElementTooManyHaltsTheRunWithoutRetries() {
    Pipeline<Integer, Long> sum = sum(each -> each.limit(3).retry(Retry.fixed(Duration.ZERO)));
    Run<Long> run = engine().serve(sum).start(sum, 4);
    assertThatThrownBy(() -> run.await(PATIENCE))
        .isInstanceOf(RunFailedException.class)
        .hasMessageContaining("fan out limit")
        .hasMessageContaining("The expand \"numbers\" yielded 4 elements, and its limit is 3");
    assertThat(run.info().haltReason()).contains(HaltReason.FAN_OUT_LIMIT);
    assertThat(run.attempts()).extracting(AttemptInfo::attempt).containsExactly(1);
    assertThat(engine().query("select count(*) from standpipe_result where outcome = 3"))
        .containsExactly("0");
  }

  @Test
  default void anExpandWithoutEndIsStoppedAtItsLimit() {
    Pipeline<Integer, Long> endless =
        Pipeline.define(
            "endless",
            Integer.class,
            Long.class,
            flow ->
                flow.input()
                    .<Integer>expand(
                        "numbers",
                        Integer.class,
                        n -> () -> Stream.iterate(n, i -> i + 1).iterator())
                    .limit(1_000)
                    .reduce("sum", Long.class, () -> 0L, Long::sum));
    Run<Long> run = engine().serve(endless).start(endless, 4);
    assertThatThrownBy(() -> run.await(PATIENCE))
        .hasMessageContaining("yielded more than 1,000 elements, and its limit is 1,000");
  }

  @Test
  default void aReduceReadsValuesInElementOrder() throws InterruptedException {
    TypeToken<List<Integer>> list = new TypeToken<>() {};
    int count = 3_000; // several pages
    Pipeline<Integer, List<Integer>> reduce =
        Pipeline.define(
            "reduce",
            TypeToken.of(Integer.class),
            list,
            flow ->
                flow.input()
                    .expand("numbers", Integer.class, n -> IntStream.range(0, n).boxed().toList())
                    .step("twice", Integer.class, n -> 2 * n)
                    .reduce(
                        "all",
                        list,
                        ArrayList::new,
                        (all, n) -> {
                          all.add(n);
                          return all;
                        }));
    Standpipe standpipe = engine().serve(reduce);
    Run<List<Integer>> many = standpipe.start(reduce, count);
    Run<List<Integer>> none = standpipe.start(reduce, 0);
    assertThat(many.await(PATIENCE))
        .isEqualTo(IntStream.range(0, count).map(n -> 2 * n).boxed().toList());
    assertThat(none.await(PATIENCE)).isEmpty();
  }

  @Test
  default void aRetriedReduceStartsWithTheFirstValue() throws InterruptedException {
    AtomicInteger failures = new AtomicInteger();
    Pipeline<Integer, Integer> flaky =
        Pipeline.define(
            "flaky",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .expand("numbers", Integer.class, n -> IntStream.range(0, n).boxed().toList())
                    .reduce(
                        "count",
                        Integer.class,
                        () -> 0,
                        (count, n) -> {
                          if (n == 5 && failures.incrementAndGet() < 3) {
                            throw new IllegalStateException("not yet");
                          }
                          return count + 1;
                        })
                    .retry(Retry.fixed(Duration.ZERO).limit(2)));
    Run<Integer> run = engine().serve(flaky).start(flaky, 10);
    assertThat(run.await(PATIENCE)).isEqualTo(10);
  }
}
