package dev.standpipe.internal.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.outbox.RelayWorker;
import dev.standpipe.internal.outbox.NewEvent;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.store.JdbcStore;
import dev.standpipe.internal.store.connection.OwnedConnection;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.internal.store.sqlite.SqliteDialect;
import dev.standpipe.outbox.EventOptions;
import dev.standpipe.outbox.Sink;
import dev.standpipe.spi.Event;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A sink that is away for an hour, by the clock of the database. */
class SinkOutageTest {
  private static final int EVENTS = 100;
  private static final SqliteDialect DIALECT = new SqliteDialect();
  private static final Sql SQL = new Sql("sqlite", Tables.DEFAULT);

  @Test
  void anHourWithoutTheSinkMakesNoDeadLetter() throws SQLException {
    SimTime time = new SimTime();
    AtomicBoolean away = new AtomicBoolean(true);
    AtomicInteger calls = new AtomicInteger();
    List<Event> told = new ArrayList<>();
    try (SimDatabase database = new SimDatabase(time, Mutation.NONE)) {
      SimLink link = new SimLink(database, line -> {});
      Store store = new JdbcStore(DIALECT, SQL, new OwnedConnection(link.dataSource(), DIALECT));
      RelayWorker worker =
          new RelayWorker(
              Sink.of("away", events -> {}),
              store.outbox(),
              (sink, events) -> {
                calls.incrementAndGet();
                return away.get() ? Optional.of("The receiver answered 500") : Optional.empty();
              },
              new RelayWorker.RelayDeps(
                  new UUID(0, 1),
                  time::now,
                  () -> 0.5,
                  new AtomicBoolean(),
                  new Events(List.of(told::add))));
      worker.work();
      for (int i = 0; i < EVENTS; i++) {
        store
            .outbox()
            .add(
                NewEvent.of(
                    new UUID(1, i), "e", "1", EventOptions.none(), "subject-" + i, "topic"));
      }
      work(worker, time, Duration.ofHours(1));
      assertThat(store.outbox().deadLetters("away", EVENTS)).isEmpty();
      assertThat(store.outbox().pending("away", EVENTS)).hasSize(EVENTS);
      assertThat(calls.get()).as("calls in an hour").isLessThan(10_000);
      assertThat(told).hasSize(1).allMatch(event -> event instanceof Event.SinkFailing);
      away.set(false);
      work(worker, time, Duration.ofMinutes(15));
      assertThat(store.outbox().pending("away", EVENTS)).isEmpty();
      assertThat(told).hasSize(2).last().isEqualTo(new Event.SinkBack("away"));
    }
  }

  private static void work(RelayWorker worker, SimTime time, Duration until) {
    for (long seconds = 0; seconds < until.toSeconds(); seconds++) {
      time.pass(Duration.ofSeconds(1));
      for (boolean more = true; more; ) {
        more = worker.work();
      }
    }
  }
}
