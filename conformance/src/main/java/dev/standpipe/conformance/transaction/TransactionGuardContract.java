package dev.standpipe.conformance.transaction;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.transaction.TransactionalContract.book;
import static dev.standpipe.conformance.transaction.TransactionalContract.booked;
import static dev.standpipe.conformance.transaction.TransactionalContract.booking;
import static dev.standpipe.conformance.transaction.TransactionalContract.createBooking;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.StepTransaction;
import dev.standpipe.TransactionalBody;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.DefinitionException;
import dev.standpipe.error.RunFailedException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a body can and cannot do with the connection of its transaction. */
public interface TransactionGuardContract extends EnginePart {
  @Test
  default void aBodyCannotEndItsTransaction() throws InterruptedException {
    createBooking(this);
    List<String> refusals = new ArrayList<>();
    Pipeline<String, String> pipeline =
        booking(
            "ending-connection",
            (text, tx) -> {
              Connection connection = tx.connection();
              book(tx, "kept");
              refusals.addAll(refusals(connection));
              assertThat(connection.getAutoCommit()).isFalse();
              connection.setAutoCommit(false);
              assertThat(connection.isWrapperFor(connection.getClass())).isFalse();
              assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
              assertThat(connection.isClosed()).isFalse();
              return text;
            },
            step -> step.retry(Retry.never()));
    assertThat(engine().serve(pipeline).start(pipeline, "a").await(PATIENCE)).isEqualTo("a");
    assertThat(booked(this)).containsExactly("kept");
    assertThat(refusals).allSatisfy(text -> assertThat(text).startsWith("Standpipe commits"));
  }

  private static List<String> refusals(Connection connection) throws SQLException {
    List<String> refusals = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select 1")) {
      for (ThrowingCallable hostile :
          List.<ThrowingCallable>of(
              connection::commit,
              connection::rollback,
              connection::close,
              () -> connection.abort(Runnable::run),
              () -> connection.setAutoCommit(true),
              () -> connection.unwrap(connection.getClass()),
              () -> statement.getConnection().commit(),
              () -> rows.getStatement().getConnection().rollback(),
              () -> connection.getMetaData().getConnection().close(),
              () -> statement.execute("commit"),
              () -> statement.execute(" /* really */ -- so\n Rollback"),
              () -> statement.addBatch("begin"),
              () -> connection.prepareStatement("END"))) {
        assertThatExceptionOfType(SQLException.class)
            .isThrownBy(hostile)
            .satisfies(e -> refusals.add(e.getMessage()));
      }
    }
    return refusals;
  }

  @Test
  default void aSavepointUndoesAPart() throws InterruptedException {
    createBooking(this);
    Pipeline<String, String> pipeline =
        booking(
            "saving",
            (text, tx) -> {
              Savepoint before = tx.connection().setSavepoint();
              book(tx, "undone");
              tx.connection().rollback(before);
              Savepoint named = tx.connection().setSavepoint("named");
              book(tx, "kept " + text);
              tx.connection().releaseSavepoint(named);
              if (text.equals("fails")) {
                throw new IllegalStateException("no");
              }
              return text;
            },
            step -> step.retry(Retry.never()));
    Standpipe standpipe = engine().serve(pipeline);
    for (int i = 0; i < 3; i++) { // on connections that may come back
      assertThat(standpipe.start(pipeline, "a").await(PATIENCE)).isEqualTo("a");
      assertThatExceptionOfType(RunFailedException.class)
          .isThrownBy(() -> standpipe.start(pipeline, "fails").await(PATIENCE));
    }
    assertThat(booked(this)).containsExactly("kept a", "kept a", "kept a");
  }

  @Test
  default void aConnectionIsOfNoUseAfterItsBody() throws InterruptedException {
    createBooking(this);
    CompletableFuture<Connection> kept = new CompletableFuture<>();
    CompletableFuture<Statement> statement = new CompletableFuture<>();
    CompletableFuture<StepTransaction> context = new CompletableFuture<>();
    Pipeline<String, String> pipeline =
        booking(
            "kept-connection",
            (text, tx) -> {
              kept.complete(tx.connection());
              statement.complete(tx.connection().createStatement());
              return text;
            },
            step -> step);
    Pipeline<String, String> unopened =
        booking(
            "unopened-connection",
            (text, tx) -> {
              context.complete(tx);
              return text;
            },
            step -> step);
    Standpipe standpipe = engine().serve(pipeline, unopened);
    assertThat(standpipe.start(pipeline, "a").await(PATIENCE)).isEqualTo("a");
    assertThat(standpipe.start(unopened, "b").await(PATIENCE)).isEqualTo("b");
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> book(kept.join(), "late"))
        .withMessageContaining("over");
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> statement.join().executeUpdate("insert into booking values ('late')"))
        .withMessageContaining("over");
    assertThatIllegalStateException()
        .isThrownBy(() -> context.join().connection())
        .withMessageContaining("returned");
    assertThat(booked(this)).isEmpty();
  }

  @Test
  default void aBodyThatLosesARaceIsRunAgainAndNotCounted() throws InterruptedException {
    createBooking(this);
    AtomicInteger bodies = new AtomicInteger();
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "racing",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .transactional(
                        "book",
                        Integer.class,
                        (losses, tx) -> {
                          tx.context().set("body", bodies.incrementAndGet());
                          book(tx, "body " + bodies.get());
                          if (bodies.get() <= losses) {
                            throw new IllegalStateException("as a framework wraps it", conflict());
                          }
                          return bodies.get();
                        })
                    .retry(Retry.never()));
    Standpipe standpipe = engine().serve(pipeline);
    assertThat(standpipe.start(pipeline, 5).await(PATIENCE)).isEqualTo(6);
    assertThat(booked(this)).containsExactly("body 6");
    assertThat(engine().query("select count(*) from standpipe_attempt")).containsExactly("0");
    bodies.set(0);
    Run<Integer> lost = standpipe.start(pipeline, 100);
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> lost.await(PATIENCE));
    assertThat(bodies).hasValue(6);
    assertThat(booked(this)).containsExactly("body 6");
  }

  private SQLException conflict() {
    return engine().isSqlite()
        ? new SQLException("database is locked", null, 5)
        : new SQLException("could not serialize access", "40001");
  }

  /** A body that hides a failure leaves PostgreSQL with a transaction that takes nothing more. */
  @Test
  default void aFailedStatementThatABodyHidesFailsItsStep() throws InterruptedException {
    createBooking(this);
    Pipeline<String, String> pipeline =
        booking(
            "hiding",
            (text, tx) -> {
              book(tx, "before");
              try (Statement statement = tx.connection().createStatement()) {
                statement.executeUpdate("insert into no_such_table values (1)");
              } catch (SQLException e) {
                // hidden
              }
              return text;
            },
            step -> step.retry(Retry.never()));
    Run<String> run = engine().serve(pipeline).start(pipeline, "a");
    if (engine().isSqlite()) {
      assertThat(run.await(PATIENCE)).isEqualTo("a");
      return;
    }
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("savepoint");
    assertThat(booked(this)).isEmpty();
  }

  /** A body that turns to other tables of other schemas does not take the engine along. */
  @Test
  default void aBodyMayChangeItsSearchPathAndIsolation() throws InterruptedException {
    createBooking(this);
    Pipeline<String, String> pipeline =
        booking(
            "straying",
            (text, tx) -> {
              book(tx, "strayed");
              if (!engine().isSqlite()) {
                assertThat(
                        engine()
                            .query(
                                "select count(*) from pg_stat_activity where application_name ="
                                    + " 'standpipe straying/book'"))
                    .containsExactly("1");
                try (Statement statement = tx.connection().createStatement()) {
                  statement.execute("set search_path to pg_catalog");
                }
              }
              return text;
            },
            step -> step.retry(Retry.never()));
    Pipeline<String, String> strict =
        booking(
            "strict",
            (text, tx) -> {
              tx.connection().setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
              book(tx, "strict");
              if (!engine().isSqlite()) {
                assertThat(tx.connection().getTransactionIsolation())
                    .isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
              }
              return text;
            },
            step -> step.retry(Retry.never()));
    Standpipe standpipe = engine().serve(pipeline, strict);
    assertThat(standpipe.start(pipeline, "a").await(PATIENCE)).isEqualTo("a");
    assertThat(standpipe.start(strict, "b").await(PATIENCE)).isEqualTo("b");
    assertThat(booked(this)).containsExactly("strayed", "strict");
  }

  /** On SQLite it is the only writer meanwhile: others wait, and nobody is taken for dead. */
  @Test
  default void othersWaitForABodyThatHoldsTheDatabase() throws InterruptedException {
    createBooking(this);
    CountDownLatch held = new CountDownLatch(1);
    Pipeline<String, String> holding =
        booking(
            "holding",
            (text, tx) -> {
              book(tx, "held");
              held.countDown();
              EngineFixture.pause(Duration.ofSeconds(3));
              return text;
            },
            step -> step);
    Pipeline<String, String> other = EngineFixture.single("other", (text, ctx) -> text);
    Standpipe standpipe =
        engine().start(engine().process(holding, other).lease(Duration.ofSeconds(6)));
    Run<String> first = standpipe.start(holding, "a");
    held.await();
    List<Run<String>> others = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      others.add(standpipe.start(other, "b" + i));
    }
    assertThat(first.await(PATIENCE)).isEqualTo("a");
    for (Run<String> run : others) {
      assertThat(run.await(PATIENCE)).startsWith("b");
    }
    assertThat(booked(this)).containsExactly("held");
    assertThat(engine().query("select count(*) from standpipe_attempt")).containsExactly("0");
  }

  /** An expand may settle many times, and a divert has only an arm to tell. */
  @Test
  default void whatHasNoOneResultCannotBeTransactional() {
    TransactionalBody<String, List<String>> body = (text, tx) -> List.of(text);
    assertThatExceptionOfType(DefinitionException.class)
        .isThrownBy(
            () ->
                Pipeline.define(
                    "wrong",
                    String.class,
                    String.class,
                    flow -> {
                      flow.input().expand("items", String.class, body);
                      return flow.input().step("only", String.class, text -> text);
                    }))
        .withMessageContaining("items")
        .withMessageContaining("transactional");
  }
}
