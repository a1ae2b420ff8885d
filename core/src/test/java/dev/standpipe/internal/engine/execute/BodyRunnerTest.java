package dev.standpipe.internal.engine.execute;

import static java.util.concurrent.TimeUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.internal.codec.JacksonCodec;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.engine.loop.Threads;
import dev.standpipe.internal.engine.substep.TryMemory;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.transaction.StepTransactions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BodyRunnerTest {
  /** No step here is transactional. */
  private static final StepTransactions NO_TRANSACTIONS =
      new StepTransactions() {
        @Override
        public void run(TransactionOwner owner, StepWork work) {
          throw new AssertionError("Nobody asked for a transaction");
        }

        @Override
        public boolean isConflict(Throwable error) {
          return false;
        }
      };

  private final List<Outcome> outcomes = new CopyOnWriteArrayList<>();
  private final Timeouts timeouts =
      new Timeouts(outcomes::add, Machine.REAL.timer(), Runnable::run);
  private final AtomicInteger bodies = new AtomicInteger();
  private final Pipeline<String, String> pipeline =
      Pipeline.define(
          "runner",
          String.class,
          String.class,
          flow -> flow.input().step("only", String.class, text -> text + bodies.incrementAndGet()));

  @AfterEach
  void close() {
    timeouts.close();
  }

  @Test
  void anAttemptIsRun() {
    assertThat(run(attempt()).ending()).isEqualTo(new Outcome.Returned(List.of("\"x1\"")));
  }

  /** As when the lease is lost between the look at it and the beginning: too early to interrupt. */
  @Test
  void anAttemptCanceledBeforeItsStartIsReleased() {
    Attempt attempt = attempt();
    attempt.cancel();
    assertThat(run(attempt).ending()).isEqualTo(new Outcome.GivenBack());
    assertThat(bodies.get()).isZero();
  }

  @Test
  void theBodysThreadAsksTheRetryPredicate() {
    AtomicReference<Thread> asked = new AtomicReference<>();
    Pipeline<String, String> picky =
        Pipeline.define(
            "picky",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step("only", String.class, (text, ctx) -> text + List.of().get(0))
                    .retry(
                        Retry.standard()
                            .when(
                                error -> {
                                  asked.set(Thread.currentThread());
                                  throw new NoClassDefFoundError("the predicate's");
                                })));
    Outcome.Threw threw = (Outcome.Threw) run(attempt(picky)).ending();
    assertThat(threw.failure().retryable()).isFalse();
    assertThat(threw.failure().error().trace()).contains("the predicate's");
    assertThat(asked.get()).isSameAs(Thread.currentThread());
  }

  @Test
  void aTimeoutWithAHangingPredicateIsFinal() {
    CountDownLatch never = new CountDownLatch(1);
    Pipeline<String, String> silent =
        Pipeline.define(
            "silent",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step("only", String.class, (text, ctx) -> text + never.await(1, HOURS))
                    .timeout(Duration.ofMillis(50))
                    .retry(Retry.standard().when(error -> never.getCount() == 0 || hang(never))));
    ExecutorService bodies = Threads.forBodies();
    try (Timeouts patient = new Timeouts(outcomes::add, Machine.REAL.timer(), bodies)) {
      bodies.execute(() -> runner(patient).run(attempt(silent)));
      await().atMost(Duration.ofSeconds(30)).until(() -> !outcomes.isEmpty());
      Outcome.Threw threw = (Outcome.Threw) outcomes.get(0).ending();
      assertThat(threw.timedOut()).isTrue();
      assertThat(threw.failure().retryable()).isFalse();
    } finally {
      never.countDown();
      bodies.shutdownNow();
    }
  }

  private static boolean hang(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      LockSupport.parkNanos(1_000_000);
    }
    return true;
  }

  private Attempt attempt() {
    return attempt(pipeline);
  }

  private static Attempt attempt(Pipeline<String, String> pipeline) {
    Claimed task = new Claimed(new UUID(2, 2), 1, "only", 0, 1, 0, 1, 1, 0, true, 0);
    Attempt attempt = Attempt.of(new UUID(1, 1), pipeline, task);
    attempt.inputs(List.of("\"x\""));
    return attempt;
  }

  private Outcome run(Attempt attempt) {
    runner(timeouts).run(attempt);
    assertThat(outcomes).hasSize(1);
    return outcomes.get(0);
  }

  private BodyRunner runner(Timeouts timeouts) {
    Store none = null; // a step reads nothing but what it was given
    BodyRunner.BodyRunnerDeps deps =
        new BodyRunner.BodyRunnerDeps(
            new JacksonCodec(),
            none,
            () -> new UUID(3, 3),
            Runnable::run,
            attempt -> true,
            NO_TRANSACTIONS,
            new TryMemory.TryMemoryDeps(
                none, new JacksonCodec(), write -> {}, Machine.REAL, new Events(List.of())));
    BodyRunner.Exits exits =
        new BodyRunner.Exits(outcomes::add, waiting -> {}, (outcome, tasks) -> Optional.empty());
    return new BodyRunner(deps, new Events(List.of()), timeouts, exits);
  }
}
