package dev.standpipe.cli.database;

import dev.standpipe.cli.CommandFailure;
import dev.standpipe.internal.Secrets;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a database can be used, and if not, which part of what the user said is wrong.
 * What may pass is tried again for a while; what will not is reported at once.
 */
public final class Reachability {
  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(2);

  private final Address address;
  private final Duration patience;
  private final Consumer<String> narration;

  /** Tells the narration if it has to wait. */
  public Reachability(Address address, Duration patience, Consumer<String> narration) {
    this.address = address;
    this.patience = patience;
    this.narration = narration;
  }

  /** Returns once the database answers. */
  public void require() {
    requireDriver();
    long deadline = System.nanoTime() + patience.toNanos();
    long pause = FIRST_PAUSE;
    while (true) {
      try (Connection connection = address.connect()) {
        connection.getMetaData().getDatabaseProductVersion();
        return;
      } catch (SQLException e) {
        if (!mayPass(e) || deadline - System.nanoTime() <= 0) {
          throw new CommandFailure(CommandFailure.FAILED, explain(e), e);
        }
        if (pause == FIRST_PAUSE) {
          narration.accept(
              "%s does not answer, trying again for %d s"
                  .formatted(address.shown(), patience.toSeconds()));
        }
        LockSupport.parkNanos(Math.min(pause, Math.max(1, deadline - System.nanoTime())));
        pause = Math.min(pause * 2, LONGEST_PAUSE);
      }
    }
  }

  private void requireDriver() {
    String url = address.url();
    if (address.isSqlite() && isInMemory(url)) {
      throw usage("processes cannot share an SQLite database in memory; name a file");
    }
    try {
      DriverManager.getDriver(url);
    } catch (SQLException e) {
      throw usage(
          url.startsWith(Address.POSTGRES)
              ? "%s is not understood; write jdbc:postgresql://host:port/database"
                  .formatted(address.shown())
              : "no JDBC driver accepts %s; supported: %s, %s"
                  .formatted(address.shown(), Address.POSTGRES, Address.SQLITE));
    }
  }

  private static boolean isInMemory(String url) {
    String file = url.substring(Address.SQLITE.length());
    return file.isEmpty() || file.startsWith(":memory:") || file.contains("mode=memory");
  }

  private static boolean mayPass(SQLException error) {
    String state = String.valueOf(error.getSQLState());
    boolean noConnection = state.startsWith("08") && !state.equals("08004");
    return (noConnection && cause(error, UnknownHostException.class) == null)
        || state.startsWith("57P");
  }

  private String explain(SQLException error) {
    String state = String.valueOf(error.getSQLState());
    String where = address.shown();
    if (address.isSqlite()) {
      return "%s cannot be opened: %s. Check that the directory exists and can be written to."
          .formatted(where, sentence(error));
    }
    if (cause(error, UnknownHostException.class) != null) {
      return "The host in %s is unknown. Check its spelling.".formatted(where);
    }
    if (refusesCredentials(error)) {
      return "%s refuses the credentials: %s. Check --user and --password (or %s)."
          .formatted(where, sentence(error), Address.PASSWORD_VARIABLE);
    }
    if (state.equals("3D000")) {
      return "The server of %s has no such database. Create it, or name another.".formatted(where);
    }
    if (state.startsWith("08") && !state.equals("08004")) {
      return "Nothing answers at %s within %d s. Check host and port, and that the server runs."
          .formatted(where, patience.toSeconds());
    }
    return "%s cannot be used: %s".formatted(where, sentence(error));
  }

  /** Wrong ones are 28…; none at all, where the server wants some, is 08004. */
  private static boolean refusesCredentials(SQLException error) {
    String state = String.valueOf(error.getSQLState());
    return state.startsWith("28") || (state.equals("08004") && !lacksEncryption(error));
  }

  /**
   * The driver has no code of its own for a server that cannot do what {@code sslmode} asks for.
   */
  private static boolean lacksEncryption(SQLException error) {
    return String.valueOf(error.getMessage()).contains("SSL");
  }

  private static String sentence(SQLException error) {
    return Secrets.hidden(String.valueOf(error.getMessage())).strip().replaceFirst("[.]$", "");
  }

  private static CommandFailure usage(String problem) {
    return new CommandFailure(CommandFailure.USAGE, "--url: " + problem);
  }

  private static <T extends Throwable> @Nullable T cause(Throwable error, Class<T> type) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (type.isInstance(e)) {
        return type.cast(e);
      }
    }
    return null;
  }
}
