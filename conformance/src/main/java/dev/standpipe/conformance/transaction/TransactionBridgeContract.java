package dev.standpipe.conformance.transaction;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.transaction.TransactionalContract.book;
import static dev.standpipe.conformance.transaction.TransactionalContract.booked;
import static dev.standpipe.conformance.transaction.TransactionalContract.createBooking;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.TransactionalBody;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.spi.TransactionBridge;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A framework opens the transactions of steps: a plain imitation of what Spring's does. */
public interface TransactionBridgeContract extends EnginePart {
  /** Binds a connection to the thread, as a transaction template does. */
  final class ThreadBound implements TransactionBridge {
    private static final ThreadLocal<Connection> BOUND = new ThreadLocal<>();

    private final DataSource source;

    ThreadBound(DataSource source) {
      this.source = source;
    }

    @Override
    public void inTransaction(BridgedWork work) {
      try (Connection connection = source.getConnection()) {
        connection.setAutoCommit(false);
        BOUND.set(connection);
        try {
          work.on(connection);
          connection.commit();
        } catch (RuntimeException | Error e) {
          connection.rollback();
          throw e;
        } finally {
          BOUND.remove();
          connection.setAutoCommit(true);
        }
      } catch (SQLException e) {
        throw new IllegalStateException("as a framework wraps it", e);
      }
    }

    /** What a repository of the user's works with. */
    Connection current() {
      Connection connection = BOUND.get();
      if (connection == null) {
        throw new IllegalStateException("No transaction on this thread");
      }
      return connection;
    }
  }

  private Run<String> run(
      TransactionBridge bridge, TransactionalBody<String, String> body, Retry retry) {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "bridged",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .transactional("book", String.class, body)
                    .retry(retry)
                    .step("after", String.class, text -> text + "!"));
    Standpipe standpipe = engine().start(engine().process(pipeline).transactions(bridge));
    return standpipe.start(pipeline, "a");
  }

  @Test
  default void whatGoesThroughTheFrameworkIsCommittedWithTheStep() throws InterruptedException {
    createBooking(this);
    ThreadBound bridge = new ThreadBound(engine().source());
    AtomicInteger bodies = new AtomicInteger();
    Run<String> run =
        run(
            bridge,
            (text, tx) -> {
              book(bridge.current(), "framework " + bodies.incrementAndGet());
              book(tx, "own " + bodies.get());
              if (bodies.get() == 1) {
                throw new IllegalStateException("not yet");
              }
              return text;
            },
            Retry.fixed(Duration.ofMillis(1)).limit(1));
    assertThat(run.await(PATIENCE)).isEqualTo("a!");
    assertThat(booked(this)).containsExactly("framework 2", "own 2");
  }

  @Test
  default void aBridgeToAnotherDatabaseIsRefused() {
    DataSource elsewhere = emptyDatabase();
    AtomicInteger bodies = new AtomicInteger();
    Run<String> run =
        run(
            new ThreadBound(elsewhere),
            (text, tx) -> {
              bodies.incrementAndGet();
              return text;
            },
            Retry.never());
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("another database");
    assertThat(bodies).hasValue(0);
  }

  /** Another Standpipe's tables look the same, and know nothing of this process. */
  @Test
  default void aBridgeToTablesOfAnotherStandpipeIsRefused() {
    DataSource elsewhere = emptyDatabase();
    Standpipe.on(elsewhere).start().close();
    Run<String> run = run(new ThreadBound(elsewhere), (text, tx) -> text, Retry.never());
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("another database");
  }

  @Test
  default void aBridgeThatDoesNotDoItsPartIsFoundOut() {
    for (TransactionBridge bridge :
        List.<TransactionBridge>of(
            work -> {},
            work -> {
              try (Connection connection = engine().source().getConnection()) {
                work.on(connection); // no transaction was begun
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            })) {
      try (EngineFixture fixture = new EngineFixture(engine().source())) {
        Pipeline<String, String> pipeline =
            TransactionalContract.booking(
                "careless", (text, tx) -> text, step -> step.retry(Retry.never()));
        Standpipe standpipe = fixture.start(fixture.process(pipeline).transactions(bridge));
        Run<String> run = standpipe.start(pipeline, "a");
        assertThatExceptionOfType(RunFailedException.class)
            .isThrownBy(() -> run.await(PATIENCE))
            .withMessageContaining("bridge");
      }
    }
  }

  /** The commit took effect, so the step has succeeded, and its body does not run again. */
  @Test
  default void aBridgeMayThrowAfterItsCommit() throws InterruptedException {
    createBooking(this);
    ThreadBound bound = new ThreadBound(engine().source());
    AtomicInteger commits = new AtomicInteger(); // a body that lost a race runs again before
    TransactionBridge throwing =
        work -> {
          bound.inTransaction(work);
          commits.incrementAndGet();
          throw new IllegalStateException("after the commit");
        };
    Run<String> run =
        run(
            throwing,
            (text, tx) -> {
              book(bound.current(), "once");
              return text;
            },
            Retry.never());
    assertThat(run.await(PATIENCE)).isEqualTo("a!");
    assertThat(commits).hasValue(1);
    assertThat(booked(this)).containsExactly("once");
  }
}
