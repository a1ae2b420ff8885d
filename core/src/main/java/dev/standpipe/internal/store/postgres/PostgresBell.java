package dev.standpipe.internal.store.postgres;

import dev.standpipe.internal.store.Bell;
import dev.standpipe.internal.store.Connections;
import dev.standpipe.internal.store.OwnedConnection;
import dev.standpipe.internal.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * NOTIFY and LISTEN. A notification takes a global lock when its transaction commits, so it is
 * never part of a transaction that writes rows: it is sent on its own, and at most so often.
 */
public final class PostgresBell implements Bell {
  private static final Duration BETWEEN_RINGS = Duration.ofMillis(5);
  private static final Duration IDLE = Duration.ofHours(1);
  private static final Duration BETWEEN_ANSWERS = Duration.ofSeconds(5);

  private static final String FOR_ALL = "";

  private final Connections ringing;
  private final OwnedConnection listening;
  private final String channel;
  private final String self = UUID.randomUUID().toString();
  private final AtomicBoolean asked = new AtomicBoolean();
  private final AtomicBoolean hushed = new AtomicBoolean();
  private long rungAt = System.nanoTime() - BETWEEN_RINGS.toNanos();
  private boolean subscribed;
  private long answeredAt;

  /** Rings and listens on this channel. */
  public PostgresBell(Connections ringing, OwnedConnection listening, String channel) {
    this.ringing = ringing;
    this.listening = listening;
    this.channel = channel;
  }

  @Override
  public boolean ask() {
    return !asked.getAndSet(true);
  }

  @Override
  public void hush() {
    hushed.set(true);
  }

  @Override
  public Duration ringIfAsked() {
    if (hushed.getAndSet(false)) {
      ring(self);
    }
    if (!asked.get()) {
      return IDLE;
    }
    Duration since = Duration.ofNanos(System.nanoTime() - rungAt);
    if (since.compareTo(BETWEEN_RINGS) < 0) {
      return BETWEEN_RINGS.minus(since);
    }
    asked.set(false);
    try {
      ring(FOR_ALL);
    } catch (StoreException e) {
      asked.set(true);
      throw e;
    }
    rungAt = System.nanoTime();
    return BETWEEN_RINGS;
  }

  private void ring(String forWhom) {
    try {
      ringing.use(
          connection -> {
            try (PreparedStatement notify = connection.prepareStatement("select pg_notify(?, ?)")) {
              notify.setString(1, channel);
              notify.setString(2, forWhom);
              return notify.execute();
            }
          });
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public boolean listen(Duration atMost) {
    try {
      return listening.use(
          connection -> {
            subscribe(connection);
            PGConnection postgres = connection.unwrap(PGConnection.class);
            @Nullable PGNotification[] heard =
                postgres.getNotifications(Math.max(1, (int) atMost.toMillis()));
            return heard != null
                && Arrays.stream(heard).anyMatch(ring -> ring.getParameter().equals(FOR_ALL));
          });
    } catch (SQLException e) {
      subscribed = false;
      throw failed(e);
    }
  }

  /**
   * Subscribes, and now and then asks for an answer: a dead connection is as silent as a quiet one.
   */
  private void subscribe(Connection connection) throws SQLException {
    boolean unsure = System.nanoTime() - answeredAt > BETWEEN_ANSWERS.toNanos();
    if (!subscribed || unsure) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("listen \"" + channel + "\"");
      }
      subscribed = true;
      answeredAt = System.nanoTime();
    }
  }

  @Override
  public void pause() {
    listening.release();
    subscribed = false;
  }

  @Override
  public boolean isAudible() {
    return true;
  }

  @Override
  public void close() {
    ringing.close();
    listening.close();
  }

  private static StoreException failed(SQLException error) {
    return new StoreException(new PostgresDialect().classify(error), error);
  }
}
