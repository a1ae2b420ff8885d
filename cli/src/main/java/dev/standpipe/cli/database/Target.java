package dev.standpipe.cli.database;

import dev.standpipe.Standpipe;
import dev.standpipe.StandpipeBuilder;
import dev.standpipe.cli.CommandFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;
import picocli.CommandLine.Option;

/** The database the command works on, as the user names it. */
public final class Target {
  private static final String PASSWORD_VARIABLE = "STANDPIPE_PASSWORD";

  @Option(
      names = "--url",
      paramLabel = "JDBC-URL",
      required = true,
      description = "The database: jdbc:postgresql://host/database or jdbc:sqlite:file.")
  private String url = "";

  @Option(names = "--user", description = "The user for --url.")
  private Optional<String> user = Optional.empty();

  @Option(
      names = "--password",
      description = "The password for --url; better in the variable STANDPIPE_PASSWORD.")
  private @Nullable String password;

  @Option(names = "--schema", description = "The schema of the tables (PostgreSQL).")
  private Optional<String> schema = Optional.empty();

  @Option(
      names = "--table-prefix",
      defaultValue = "standpipe_",
      description = "What the tables' names start with; by default ${DEFAULT-VALUE}.")
  private String tablePrefix = "";

  @Option(
      names = "--connect-timeout",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How long to wait for the database; ${DEFAULT-VALUE} by default.")
  private int connectTimeout;

  /** Does something there as a client that serves nothing; makes no tables. */
  public void with(Consumer<Standpipe> work) {
    StandpipeBuilder builder =
        Standpipe.on(source())
            .tablePrefix(tablePrefix)
            .migrate(false)
            .notifications(false)
            .connectTimeout(Duration.ofSeconds(connectTimeout));
    schema.ifPresent(builder::schema);
    try (Standpipe standpipe = builder.start()) {
      work.accept(standpipe);
    }
  }

  private DataSource source() {
    if (url.startsWith("jdbc:sqlite:")) {
      SQLiteDataSource file = new SQLiteDataSource();
      file.setUrl(url);
      return file;
    }
    if (!url.startsWith("jdbc:postgresql:")) {
      throw new CommandFailure(
          CommandFailure.USAGE,
          "--url must start with jdbc:postgresql: or jdbc:sqlite:, there is no driver for others.");
    }
    PGSimpleDataSource server = new PGSimpleDataSource();
    server.setUrl(url);
    user.ifPresent(server::setUser);
    String secret = password == null ? System.getenv(PASSWORD_VARIABLE) : password;
    if (secret != null) {
      server.setPassword(secret);
    }
    return server;
  }
}
