package dev.standpipe.cli.database;

import dev.standpipe.Standpipe;
import dev.standpipe.StandpipeBuilder;
import dev.standpipe.cli.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The tables the command works on, as the user names them. They must be there. */
public final class Target {
  @Option(
      names = "--url",
      paramLabel = "JDBC-URL",
      description =
          "The database: jdbc:postgresql://host/database or jdbc:sqlite:file; else the variable"
              + " STANDPIPE_URL.")
  private @Nullable String url;

  @Option(
      names = "--user",
      description = "The user, if it is not part of the URL; else the variable STANDPIPE_USER.")
  private @Nullable String user;

  @Option(
      names = "--password",
      description = "The password; better in the variable STANDPIPE_PASSWORD.")
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

  /** Does something there as a client that serves nothing; makes no tables and no file. */
  public void with(Consumer<Standpipe> work) {
    Address address =
        Address.given(url, user, password)
            .orElseThrow(
                () ->
                    new CommandFailure(
                        CommandFailure.USAGE, "Name a database with --url or STANDPIPE_URL."));
    requireFile(address);
    Duration patience = Duration.ofSeconds(Math.max(0, connectTimeout));
    new Reachability(address, patience, text -> {}).require();
    StandpipeBuilder builder =
        Standpipe.on(address.single())
            .tablePrefix(tablePrefix)
            .migrate(false)
            .notifications(false)
            .connectTimeout(patience);
    schema.ifPresent(builder::schema);
    try (Standpipe standpipe = builder.start()) {
      work.accept(standpipe);
    }
  }

  /** SQLite would make the file; whoever only looks for runs must not. */
  public static void requireFile(Address address) {
    Optional<Path> missing = address.sqliteFile().filter(Files::notExists);
    if (missing.isPresent()) {
      throw new CommandFailure(CommandFailure.FAILED, "There is no file " + missing.get() + ".");
    }
  }
}
