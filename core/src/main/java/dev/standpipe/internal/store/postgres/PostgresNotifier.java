package dev.standpipe.internal.store.postgres;

import dev.standpipe.internal.port.Notifier;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.store.connection.Connections;
import dev.standpipe.internal.store.connection.EngineLink;
import java.sql.Connection;
import java.sql.SQLException;
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
public final class PostgresNotifier implements Notifier {
  private static final Duration BETWEEN_RINGS = Duration.ofMillis(5);
  private static final Duration IDLE = Duration.ofHours(1);
  private static final Duration BETWEEN_ANSWERS = Duration.ofSeconds(5);

  private static final String FOR_ALL = "";

  private final Connections ringing;
  private final Connections listening;
  private final String channel;
  private final String self = UUID.randomUUID().toString();
  private final AtomicBoolean asked = new AtomicBoolean();
  private final AtomicBoolean hushed = new AtomicBoolean();
  private long rungAt = System.nanoTime() - BETWEEN_RINGS.toNanos();
  private @Nullable Connection subscribed;
  private long answeredAt;
  private volatile boolean deaf;

  /** Rings and listens on this channel. */
  public PostgresNotifier(Connections ringing, Connections listening, String channel) {
    this.ringing = ringing;
    this.listening = listening;
    this.channel = channel;
  }

  @Override
  public boolean request() {
    return !asked.getAndSet(true);
  }

  @Override
  public void wakeListener() {
    hushed.set(true);
  }

  @Override
  public Duration sendIfRequested() {
    if (hushed.getAndSet(false)) {
      send(self);
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
      send(FOR_ALL);
    } catch (StoreException e) {
      asked.set(true);
      throw e;
    }
    rungAt = System.nanoTime();
    return BETWEEN_RINGS;
  }

  private void send(String forWhom) {
    try {
      ringing.use(
          link -> {
            try (EngineLink.Prepared notify = link.prepare("select pg_notify(?, ?)")) {
              notify.statement().setString(1, channel);
              notify.statement().setString(2, forWhom);
              return notify.rows().next();
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
          link -> {
            if (!link.keepsSession()) {
              deaf = true;
              return false;
            }
            subscribe(link);
            PGConnection postgres = link.connection().unwrap(PGConnection.class);
            @Nullable PGNotification[] heard =
                postgres.getNotifications(Math.max(1, (int) atMost.toMillis()));
            return heard != null
                && Arrays.stream(heard).anyMatch(one -> one.getParameter().equals(FOR_ALL));
          });
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /**
   * Subscribes, and now and then asks for an answer: a dead connection is as silent as a quiet one.
   */
  private void subscribe(EngineLink link) throws SQLException {
    boolean unsure = System.nanoTime() - answeredAt > BETWEEN_ANSWERS.toNanos();
    if (subscribed != link.connection() || unsure) {
      link.undoLater("unlisten \"" + channel + "\"");
      link.execute("listen \"" + channel + "\"");
      subscribed = link.connection();
      answeredAt = System.nanoTime();
    }
  }

  /** Behind a pooler, a listener hears what others have subscribed to, if anything. */
  @Override
  public boolean isAudible() {
    return !deaf;
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
