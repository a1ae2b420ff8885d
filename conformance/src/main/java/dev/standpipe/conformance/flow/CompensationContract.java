package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.Audit;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.definition.EndCallback;
import dev.standpipe.error.NotRevivableException;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.operate.Operator;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What users see of compensations, through the API. */
public interface CompensationContract extends EnginePart {
  Retry ONCE = Retry.fixed(Duration.ZERO).limit(0);

  /** Books a trip: a flight, then two rooms and a car side by side, and at last pays. */
  private static Pipeline<String, String> trip(
      ConcurrentLinkedQueue<String> log, AtomicBoolean broken, AtomicBoolean stuck) {
    return Pipeline.define(
        "trip",
        String.class,
        String.class,
        flow -> {
          flow.onFailure(end -> log.add("told " + end.status()));
          flow.onSuccess(end -> log.add("told " + end.status()));
          Node<String> flight =
              flow.input()
                  .step("flight", String.class, to -> "flight to " + to)
                  .retry(ONCE)
                  .compensate((booked, ctx) -> undo(log, stuck, booked));
          Node<Integer> rooms =
              flight
                  .expand("rooms", String.class, booked -> List.of("single", "double"))
                  .step("room", String.class, room -> room + " room")
                  .compensate(booked -> log.add("undone " + booked))
                  .collapse("count", Integer.class, List::size);
          return Node.join(flight, rooms)
              .step(
                  "pay",
                  String.class,
                  (booked, count) -> {
                    if (broken.get()) {
                      throw new IOException("no money");
                    }
                    return booked + " and " + count + " rooms";
                  })
              .retry(ONCE)
              .compensate(paid -> log.add("undone " + paid));
        });
  }

  private static void undo(ConcurrentLinkedQueue<String> log, AtomicBoolean stuck, String booked)
      throws IOException {
    if (stuck.get()) {
      throw new IOException("the airline does not answer");
    }
    log.add("undone " + booked);
  }

  @Test
  default void compensationUndoesTheLastStepFirst() {
    ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> trip = trip(log, new AtomicBoolean(true), new AtomicBoolean());
    Standpipe standpipe = engine().serve(trip);
    Run<String> run = standpipe.start(trip, "Oslo");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("ended compensated (retries exhausted)")
        .withMessageContaining("no money")
        .satisfies(e -> assertThat(e.status()).isEqualTo(RunStatus.COMPENSATED));
    await().atMost(PATIENCE).until(() -> log.size() == 4);
    assertThat(List.copyOf(log).subList(0, 2))
        .containsExactlyInAnyOrder("undone single room", "undone double room");
    assertThat(List.copyOf(log).subList(2, 4))
        .containsExactly("undone flight to Oslo", "told COMPENSATED");
    assertThat(run.info().haltReason()).contains(HaltReason.RETRIES_EXHAUSTED);
    assertThat(run.info().links().endCallbacks())
        .extracting(one -> one.endCallback())
        .containsExactlyInAnyOrder(EndCallback.COMPENSATE, EndCallback.ON_FAILURE);
    assertThatExceptionOfType(NotRevivableException.class)
        .isThrownBy(() -> standpipe.operator("ann").revive(run.id(), "again"))
        .withMessageContaining("is compensated: its steps are undone");
    await().atMost(PATIENCE).until(() -> engine().query("select * from standpipe_task").isEmpty());
    new Audit(engine().source(), List.of()).assertHistoriesAgree();
  }

  @Test
  default void aSucceededRunIsNotCompensated() throws InterruptedException {
    ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> trip = trip(log, new AtomicBoolean(), new AtomicBoolean());
    Run<String> run = engine().serve(trip).start(trip, "Oslo");
    assertThat(run.await(PATIENCE)).isEqualTo("flight to Oslo and 2 rooms");
    await().atMost(PATIENCE).until(() -> !log.isEmpty());
    assertThat(log).containsExactly("told SUCCEEDED");
    assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
  }

  @Test
  default void aFailedCompensationCanBeRevived() {
    ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();
    AtomicBoolean stuck = new AtomicBoolean(true);
    Pipeline<String, String> trip = trip(log, new AtomicBoolean(true), stuck);
    Standpipe standpipe = engine().serve(trip);
    Run<String> run = standpipe.start(trip, "Oslo");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .satisfies(e -> assertThat(e.status()).isEqualTo(RunStatus.COMPENSATION_FAILED));
    await().atMost(PATIENCE).until(() -> log.contains("told COMPENSATION_FAILED"));
    assertThatExceptionOfType(NotRevivableException.class)
        .isThrownBy(() -> standpipe.operator("ann").revive(run.id(), "again"))
        .withMessageContaining("is compensation failed");
    stuck.set(false);
    UUID compensation =
        run.info().links().endCallbacks().stream()
            .filter(one -> one.endCallback() == EndCallback.COMPENSATE)
            .findFirst()
            .orElseThrow()
            .run();
    standpipe.operator("ann").revive(compensation, "the airline answers");
    await().atMost(PATIENCE).until(() -> run.status() == RunStatus.COMPENSATED);
    await().atMost(PATIENCE).until(() -> log.contains("told COMPENSATED"));
    assertThat(log).contains("undone flight to Oslo");
    assertThat(log.stream().filter("undone single room"::equals)).hasSize(1);
  }

  @Test
  default void aCanceledRunIsCompensated() throws InterruptedException {
    ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "canceled",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step("book", String.class, text -> "booked " + text)
                    .compensate(
                        (booked, ctx) -> log.add(booked + " " + ctx.idempotencyKey().length()))
                    .step(
                        "hang",
                        String.class,
                        text -> {
                          begun.countDown();
                          never.await();
                          return text;
                        }));
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "x");
    begun.await();
    Operator ann = standpipe.operator("ann");
    ann.cancel(run.id(), "not needed", Duration.ofSeconds(5));
    await().atMost(PATIENCE).until(() -> run.status() == RunStatus.COMPENSATED);
    assertThat(log).hasSize(1);
    assertThat(run.info().cancellation()).isPresent();
    assertThat(ann.cancel(run.id(), "again")).isEqualTo(RunStatus.COMPENSATED);
    Run<String> next = run.then(pipeline);
    assertThat(next.status()).isEqualTo(RunStatus.SKIPPED);
  }
}
