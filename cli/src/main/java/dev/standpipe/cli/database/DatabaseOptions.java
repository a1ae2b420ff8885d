package dev.standpipe.cli.database;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say which database a command works on. */
public final class DatabaseOptions {
  @Spec(Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

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

  @Option(
      names = "--connect-timeout",
      paramLabel = "SECONDS",
      description = "How long to wait for the database to answer; ${DEFAULT-VALUE} by default.")
  private int connectTimeout;

  /** For commands whose user waits for an answer: 10 seconds. */
  public DatabaseOptions() {
    this(Duration.ofSeconds(10));
  }

  /** For commands that wait for so long, unless the user says otherwise. */
  public DatabaseOptions(Duration patience) {
    this.connectTimeout = Math.toIntExact(patience.toSeconds());
  }

  /** The database the user has named, if any. */
  public Optional<Address> given() {
    return Address.given(url, user, password);
  }

  /** The database the user must have named, once it answers. */
  public Address required() {
    Address address =
        given()
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(), "Name a database with --url or STANDPIPE_URL."));
    requireAnswer(address);
    return address;
  }

  /** Returns once this database answers. */
  public void requireAnswer(Address address) {
    new Reachability(address, patience(), text -> spec.commandLine().getErr().println(text))
        .require();
  }

  /** How long to wait for an answer. */
  public Duration patience() {
    return Duration.ofSeconds(Math.max(0, connectTimeout));
  }
}
