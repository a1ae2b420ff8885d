package dev.standpipe.conformance.transaction;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Fail;
import dev.standpipe.HaltReason;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.StepTransaction;
import dev.standpipe.TransactionalBody;
import dev.standpipe.TransactionalEffect;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.RunFailedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What a transactional body writes happens exactly if its step succeeds. */
public interface TransactionalContract extends EnginePart {
  /** Makes the table that bodies write to. */
  static void createBooking(EnginePart part) {
    part.engine().execute("create table booking (what varchar(200) not null)");
  }

  /** Writes a row of the user's. */
  static void book(StepTransaction tx, String what) throws SQLException {
    book(tx.connection(), what);
  }

  /** Writes a row of the user's on this connection. */
  static void book(Connection connection, String what) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into booking (what) values (?)")) {
      insert.setString(1, what);
      insert.executeUpdate();
    }
  }

  /** What was booked, sorted. */
  static List<String> booked(EnginePart part) {
    return part.engine().query("select what from booking order by what");
  }

  /** A pipeline of one transactional step, {@code book}, from text to text. */
  static Pipeline<String, String> booking(
      String name, TransactionalBody<String, String> body, UnaryOperator<Node<String>> special) {
    return Pipeline.define(
        name,
        String.class,
        String.class,
        flow -> special.apply(flow.input().transactional("book", String.class, body)));
  }

  @Test
  default void aBodysWritesAreThereOnceItsStepHasSucceeded() throws InterruptedException {
    createBooking(this);
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "booking",
            String.class,
            String.class,
            flow -> {
              Node<String> booked =
                  flow.input()
                      .transactional(
                          "book",
                          String.class,
                          (text, tx) -> {
                            assertThat(tx.connection()).isSameAs(tx.connection());
                            book(tx, tx.node() + " " + text);
                            return text + "!";
                          });
              booked.transactional("note", (text, tx) -> book(tx, tx.node() + " " + text));
              return booked.step("after", String.class, text -> text + "?");
            });
    Standpipe standpipe = engine().serve(pipeline);
    assertThat(standpipe.start(pipeline, "a").await(PATIENCE)).isEqualTo("a!?");
    assertThat(booked(this)).containsExactly("book a", "note a!");
    assertThat(engine().query("select count(*) from standpipe_attempt")).containsExactly("0");
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
  }

  /** Runs that are started together share rows, and so do elements that wait. */
  @Test
  default void eachOfManyBodiesWritesOnce() throws InterruptedException {
    createBooking(this);
    Pipeline<String, Integer> pipeline =
        Pipeline.define(
            "many-bookings",
            String.class,
            Integer.class,
            flow ->
                flow.input()
                    .transactional(
                        "first",
                        String.class,
                        (text, tx) -> {
                          book(tx, "first");
                          return text;
                        })
                    .expand("items", Integer.class, text -> List.of(1, 2, 3))
                    .transactional(
                        "item",
                        Integer.class,
                        (n, tx) -> {
                          book(tx, "item " + n);
                          return n;
                        })
                    .collapse(
                        "sum",
                        Integer.class,
                        TransactionalBody.of(
                            (all, tx) -> {
                              book(tx, "sum");
                              return all.stream().mapToInt(Integer::intValue).sum();
                            })));
    Standpipe standpipe = engine().serve(pipeline);
    List<Run<Integer>> runs = standpipe.startAll(pipeline, Collections.nCopies(30, "x"));
    for (Run<Integer> run : runs) {
      assertThat(run.await(PATIENCE)).isEqualTo(6);
    }
    assertThat(engine().query("select what, count(*) from booking group by what order by what"))
        .containsExactly("first|30", "item 1|30", "item 2|30", "item 3|30", "sum|30");
  }

  @Test
  default void whatABodyWroteBeforeItThrewIsGone() throws InterruptedException {
    createBooking(this);
    AtomicInteger tries = new AtomicInteger();
    Pipeline<String, String> pipeline =
        booking(
            "throwing-booking",
            (text, tx) -> {
              book(tx, "try " + tx.attempt());
              if (tries.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
              }
              return text;
            },
            step -> step.retry(Retry.fixed(Duration.ofMillis(1)).limit(3)));
    assertThat(engine().serve(pipeline).start(pipeline, "a").await(PATIENCE)).isEqualTo("a");
    assertThat(booked(this)).containsExactly("try 3");
    assertThat(engine().query("select count(*) from standpipe_attempt")).containsExactly("2");
  }

  @Test
  default void aBodyThatFailsForGoodOrSnoozesHasWrittenNothing() throws InterruptedException {
    createBooking(this);
    AtomicInteger snoozes = new AtomicInteger();
    Pipeline<String, String> failing =
        booking(
            "failing-booking",
            (text, tx) -> {
              book(tx, "failed");
              throw Fail.now("enough");
            },
            step -> step);
    Pipeline<String, String> snoozing =
        booking(
            "snoozing-booking",
            (text, tx) -> {
              book(tx, "snoozed " + snoozes.get());
              if (snoozes.getAndIncrement() == 0) {
                throw Retry.after(Duration.ofMillis(100));
              }
              return text;
            },
            step -> step);
    Standpipe standpipe = engine().serve(failing, snoozing);
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> standpipe.start(failing, "a").await(PATIENCE))
        .satisfies(e -> assertThat(e.getMessage()).contains("enough"));
    assertThat(standpipe.start(snoozing, "b").await(PATIENCE)).isEqualTo("b");
    assertThat(booked(this)).containsExactly("snoozed 1");
  }

  @Test
  default void aTransactionalStepMayEndItsRunAndSetItsContext() throws InterruptedException {
    createBooking(this);
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "ending-booking",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .transactional(
                        "set",
                        String.class,
                        (text, tx) -> {
                          tx.context().set("seat", text + "1");
                          book(tx, "set");
                          return text;
                        })
                    .transactional(
                        "end",
                        String.class,
                        (text, tx) -> {
                          book(tx, "end");
                          tx.finishRun(tx.context().get("seat", String.class).orElseThrow());
                          return text;
                        })
                    .step("never", String.class, text -> "never"));
    Run<String> run = engine().serve(pipeline).start(pipeline, "a");
    assertThat(run.await(PATIENCE)).isEqualTo("a1");
    assertThat(booked(this)).containsExactly("end", "set");
  }

  /** Another step sets the key meanwhile: that is found out when the body has written already. */
  @Test
  default void aBodyWhoseContextIsRefusedHasWrittenNothing() {
    createBooking(this);
    CountDownLatch set = new CountDownLatch(1);
    CountDownLatch taken = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "refused-booking",
            String.class,
            String.class,
            flow -> {
              flow.input()
                  .step(
                      "first",
                      String.class,
                      (text, ctx) -> {
                        set.await();
                        ctx.context().set("seat", "taken");
                        return text;
                      })
                  .step("then", text -> taken.countDown());
              return flow.input()
                  .transactional(
                      "book",
                      String.class,
                      (text, tx) -> {
                        tx.context().set("seat", "mine");
                        set.countDown();
                        taken.await();
                        book(tx, "refused");
                        return text;
                      });
            });
    Run<String> run = engine().serve(pipeline).start(pipeline, "a");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    assertThat(run.info().haltReason()).contains(HaltReason.INVALID_VALUE);
    assertThat(booked(this)).isEmpty();
  }

  @Test
  default void aBodyThatAsksForNoConnectionIsLikeAnyOther() throws InterruptedException {
    Pipeline<String, String> pipeline =
        booking("idle-booking", (text, tx) -> text + tx.attempt(), step -> step);
    assertThat(engine().serve(pipeline).start(pipeline, "a").await(PATIENCE)).isEqualTo("a1");
  }

  @Test
  default void whatACanceledBodyWroteIsGone() throws InterruptedException {
    createBooking(this);
    CountDownLatch written = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        booking(
            "canceled-booking",
            (text, tx) -> {
              if (!engine().isSqlite()) { // where it would keep the cancel from being written
                book(tx, "early");
              }
              written.countDown();
              awaitStubbornly(go);
              book(tx, "late");
              return text;
            },
            step -> step);
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "a");
    written.await();
    standpipe.operator("ann").cancel(run.id(), "not wanted");
    go.countDown();
    await().atMost(PATIENCE).until(() -> run.status() == RunStatus.CANCELED);
    assertThat(booked(this)).isEmpty();
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
  }

  /** A paused run keeps nothing that would have to be parked: its body runs again when resumed. */
  @Test
  default void whatABodyOfAPausedRunWroteIsGoneAndWrittenAgain() throws InterruptedException {
    createBooking(this);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger bodies = new AtomicInteger();
    Pipeline<String, String> pipeline =
        booking(
            "paused-booking",
            (text, tx) -> {
              int body = bodies.incrementAndGet();
              begun.countDown();
              awaitStubbornly(go);
              book(tx, "body " + body);
              return text;
            },
            step -> step);
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "a");
    begun.await();
    standpipe.operator("ann").pause(run.id(), "wait");
    go.countDown();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                engine()
                    .query("select count(*) from standpipe_task where owner is not null")
                    .equals(List.of("0")));
    assertThat(booked(this)).isEmpty();
    assertThat(run.status()).isEqualTo(RunStatus.PAUSED);
    standpipe.operator("ann").resume(run.id(), "go on");
    assertThat(run.await(PATIENCE)).isEqualTo("a");
    assertThat(booked(this)).containsExactly("body 2");
    assertThat(engine().query("select count(*) from standpipe_attempt")).containsExactly("0");
  }

  @Test
  default void whatABodyWroteThatRanOutOfTimeIsGone() throws InterruptedException {
    createBooking(this);
    AtomicInteger bodies = new AtomicInteger();
    Pipeline<String, String> pipeline =
        booking(
            "late-booking",
            (text, tx) -> {
              int body = bodies.incrementAndGet();
              if (body == 1) {
                awaitUntil(tx::isCanceled);
              }
              book(tx, "body " + body);
              return text;
            },
            step ->
                step.timeout(Duration.ofMillis(300))
                    .retry(Retry.fixed(Duration.ofMillis(1)).limit(2)));
    assertThat(engine().serve(pipeline).start(pipeline, "a").await(PATIENCE)).isEqualTo("a");
    assertThat(booked(this)).containsExactly("body 2");
    assertThat(engine().query("select count(*) from standpipe_attempt")).containsExactly("1");
  }

  @Test
  default void startsAndSignalsOfABodyJoinItsTransaction() throws InterruptedException {
    createBooking(this);
    Pipeline<String, String> child = single("booked-child", (text, ctx) -> text + "!");
    Pipeline<String, String> waiting =
        Pipeline.define(
            "booked-waiting",
            String.class,
            String.class,
            flow -> flow.input().await("signal", String.class));
    CompletableFuture<Standpipe> here = new CompletableFuture<>();
    CompletableFuture<Run<String>> waits = new CompletableFuture<>();
    List<Run<String>> started = new CopyOnWriteArrayList<>();
    AtomicInteger tries = new AtomicInteger();
    Pipeline<String, String> pipeline =
        booking(
            "starting-booking",
            (text, tx) -> {
              Run<String> run = here.join().start(child, text);
              started.add(run);
              here.join().startAll(child, List.of("x", "y"));
              here.join().signal(waits.join().id(), "signal", text + tries.get());
              here.join().after(run).start(child, "after");
              run.then(child);
              book(tx, "started");
              if (tries.getAndIncrement() == 0) {
                throw new IllegalStateException("after all was said");
              }
              return text;
            },
            step -> step.retry(Retry.fixed(Duration.ofMillis(1)).limit(1)));
    here.complete(engine().serve(pipeline, child, waiting));
    waits.complete(here.join().start(waiting, "w"));
    assertThat(here.join().start(pipeline, "a").await(PATIENCE)).isEqualTo("a");
    assertThat(waits.join().await(PATIENCE)).isEqualTo("a1");
    assertThat(started.get(1).await(PATIENCE)).isEqualTo("a!");
    assertThat(engine().query("select count(*) from standpipe_run where pipeline = 'booked-child'"))
        .containsExactly("5");
    await()
        .atMost(PATIENCE)
        .until(() -> engine().query("select count(*) from standpipe_task").equals(List.of("0")));
  }

  /** A start alone is enough: it opens the transaction. */
  @Test
  default void aStartIsUndoneWithABodyThatThrows() {
    Pipeline<String, String> child = single("undone-child", (text, ctx) -> text);
    CompletableFuture<Standpipe> here = new CompletableFuture<>();
    Pipeline<String, String> pipeline =
        booking(
            "undone-booking",
            (text, tx) -> {
              here.join().start(child, text);
              here.join().start("undone-child", text, RunOptions.none());
              throw Fail.now("no");
            },
            step -> step);
    here.complete(engine().serve(pipeline, child));
    Run<String> run = here.join().start(pipeline, "a");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    assertThat(engine().query("select count(*) from standpipe_run where pipeline = 'undone-child'"))
        .containsExactly("0");
  }

  @Test
  default void compensationsAndCallbacksMayBeTransactional() {
    createBooking(this);
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "undoing",
            String.class,
            String.class,
            flow -> {
              flow.onHalt(TransactionalEffect.of((end, tx) -> book(tx, "halted " + end.status())));
              return flow.input()
                  .transactional(
                      "book",
                      String.class,
                      (text, tx) -> {
                        book(tx, "done");
                        return text;
                      })
                  .compensate(TransactionalEffect.of((text, tx) -> book(tx, "undone " + text)))
                  .step(
                      "fail",
                      String.class,
                      text -> {
                        throw Fail.now("no");
                      });
            });
    Run<String> run = engine().serve(pipeline).start(pipeline, "a");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(booked(this)).hasSize(3).contains("done", "undone a"));
    await().atMost(PATIENCE).until(() -> run.status() == RunStatus.COMPENSATED);
  }

  /** A revive goes on after what is committed, and a fork takes it over. */
  @Test
  default void aRevivedRunDoesNotBookAgain() throws InterruptedException {
    createBooking(this);
    AtomicInteger fails = new AtomicInteger(1);
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "revived-booking",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .transactional(
                        "book",
                        String.class,
                        (text, tx) -> {
                          book(tx, "booked");
                          return text;
                        })
                    .transactional(
                        "pay",
                        String.class,
                        (text, tx) -> {
                          book(tx, "paid");
                          if (fails.getAndDecrement() > 0) {
                            throw Fail.now("no money");
                          }
                          return text;
                        }));
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "a");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .satisfies(e -> assertThat(run.info().haltReason()).contains(HaltReason.FAILED_NOW));
    standpipe.operator("ann").revive(run.id(), "money came");
    assertThat(run.await(PATIENCE)).isEqualTo("a");
    assertThat(booked(this)).containsExactly("booked", "paid");
  }

  /** As a body does that ignores every interrupt. */
  static void awaitStubbornly(CountDownLatch latch) {
    boolean open = false;
    while (!open) {
      try {
        latch.await();
        open = true;
      } catch (InterruptedException e) {
        // it does not listen
      }
    }
  }

  private static void awaitUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }
}
