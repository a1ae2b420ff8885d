package dev.standpipe.cli.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.standpipe.cli.database.Address;
import dev.standpipe.cli.database.CleanUp;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code standpipe demo}: pipelines that survive a killed and a frozen worker, live. */
@Command(
    name = "demo",
    description = {
      "Run an order pipeline on several worker processes, kill one and freeze another, and show"
          + " that nothing is lost and nothing committed twice.",
      "By default on an SQLite file that is deleted afterwards."
    },
    footer = {
      "",
      "Exits with 0 if every run succeeded and no step was committed twice, otherwise with 1."
    })
public final class DemoCommand implements Callable<Integer> {
  private static final int INTERRUPTED = 130;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--embedded-postgres", description = "Use a PostgreSQL that the demo starts.")
  private boolean embeddedPostgres;

  @Option(
      names = "--url",
      paramLabel = "JDBC-URL",
      description =
          "Use this database: jdbc:postgresql://host/database or jdbc:sqlite:file. The demo makes"
              + " tables of its own in it and drops them at the end.")
  private Optional<String> url = Optional.empty();

  @Option(names = "--user", description = "The user for --url.")
  private Optional<String> user = Optional.empty();

  @Option(
      names = "--password",
      description = "The password for --url; better in the variable STANDPIPE_PASSWORD.")
  private @Nullable String password;

  @Option(
      names = "--connect-timeout",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How long to wait for --url to answer; ${DEFAULT-VALUE} by default.")
  private int connectTimeout;

  @Option(
      names = "--orders",
      paramLabel = "N",
      defaultValue = "200",
      description = "How many orders, 1 to 100000; ${DEFAULT-VALUE} by default.")
  private int orders;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "3",
      description = "How many workers, 2 to 16; ${DEFAULT-VALUE} by default.")
  private int workers;

  @Option(
      names = "--json",
      description = "Print the summary as one line of JSON, and everything else to standard error.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    require(!embeddedPostgres || url.isEmpty(), "Choose one of --embedded-postgres and --url.");
    require(
        url.isPresent() || (user.isEmpty() && password == null),
        "--user and --password need a --url to go with.");
    require(orders >= 1 && orders <= 100_000, "--orders must be from 1 to 100000.");
    require(workers >= 2 && workers <= 16, "--workers must be from 2 to 16.");
    require(connectTimeout >= 0, "--connect-timeout cannot be negative.");
    keepLogsQuiet();
    PrintWriter out = spec.commandLine().getOut();
    CleanUp cleanUp = new CleanUp();
    try (cleanUp) {
      Screen screen = screen(out);
      cleanUp.add(screen::close);
      Summary summary = new Demo(settings(), screen, cleanUp).run();
      if (json) {
        out.println(summary.json());
      } else {
        summary.lines().forEach(out::println);
      }
      out.flush();
      return summary.findings().ok() ? 0 : 1;
    } catch (Exception e) {
      if (cleanUp.isInterrupted()) {
        return INTERRUPTED;
      }
      throw e;
    }
  }

  private Demo.Settings settings() {
    String secret = password == null ? System.getenv(Address.PASSWORD_VARIABLE) : password;
    return new Demo.Settings(
        url.map(text -> new Address(text, user, Optional.ofNullable(secret))),
        embeddedPostgres,
        Duration.ofSeconds(connectTimeout),
        orders,
        workers);
  }

  private Screen screen(PrintWriter out) {
    if (json) {
      return new PlainScreen(spec.commandLine().getErr());
    }
    return Terminal.isLive() && Terminal.isWiderThan(Bars.LONGEST_LINE)
        ? new LiveScreen(out, Bars.forCharset(Terminal.charset()))
        : new PlainScreen(out);
  }

  /** The demo tells its own story; what it provokes on purpose need not be warned about. */
  private void keepLogsQuiet() {
    boolean verbose = Boolean.TRUE.equals(spec.root().findOption("--verbose").getValue());
    if (!verbose && LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
      root.setLevel(Level.OFF);
    }
  }

  private void require(boolean holds, String problem) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), problem);
    }
  }
}
