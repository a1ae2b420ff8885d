package dev.standpipe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.cli.Commands.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people mistype, and what they must not be punished with. */
final class MistakesTest {
  private static final String RUN = "01890a5d-ac96-774b-bcce-b302099a8057";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--url=jdbc:postgresql://127.0.0.1:notaport/db?user=ann&password=s3cret",
        "--url=jdbc:postgresql://127.0.0.1:1/db?user=ann&password=s3cret",
        "--url=jdbc:postgresql://ann:s3cret@127.0.0.1:1/db",
        "--url=jdbc:postgresql://ann:s3cret/s3cret@127.0.0.1:1/db",
        "--url=jdbc:postgresql://ann:s3cret@s3cret@127.0.0.1:1/db",
        "--url=jdbc:postgresql://ann:s3cret?s3cret@127.0.0.1:1/db",
        "--url=jdbc:postgresql://127.0.0.1:1/db?password=s3cret,s3cret;s3cret",
        "--url=jdbc:postgresql://127.0.0.1:99999/db?password=s3cret",
        "--url=jdbc:postgresql:db?password=s3cret",
        "--url=postgres://ann:s3cret@127.0.0.1:1/db",
        "--url=ann:s3cret/s3cret@127.0.0.1:1/db",
        "--url=jdbc:mysql://h/db?password=s3cret",
        "--url=jdbc:postgresql://127.0.0.1:1/db --password=s3cret",
        "--url=jdbc:postgresql://127.0.0.1:1/db --pasword=s3cret",
        "--url=jdbc:sqlite:/no/such/directory/x.db?password=s3cret"
      })
  void noPasswordIsPrinted(String options) {
    Overheard driver = new Overheard();
    for (List<String> command : commands()) {
      List<String> args = new ArrayList<>(command);
      args.addAll(List.of(options.split(" ", -1)));
      args.addAll(List.of("--connect-timeout=0", "--verbose"));
      Outcome outcome = Commands.run(args.toArray(String[]::new));
      assertThat(outcome.exitCode()).as(args.toString()).isNotZero();
      assertThat(outcome.out() + outcome.err()).as(args.toString()).doesNotContain("s3cret");
    }
    assertThat(driver.said()).as("what the driver logs").isEmpty();
  }

  /** What the driver of PostgreSQL writes to the console by itself. */
  private static final class Overheard extends Handler {
    private static final Logger DRIVER = Logger.getLogger("org.postgresql");
    private final List<String> said = new CopyOnWriteArrayList<>();

    Overheard() {
      DRIVER.addHandler(this);
    }

    List<String> said() {
      DRIVER.removeHandler(this);
      return said;
    }

    @Override
    public void publish(LogRecord said) {
      this.said.add(String.valueOf(said.getMessage()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "file:%s", "file://%s?mode=rwc", "file:%s?cache=shared"})
  void readingCommandsCreateNoFile(String form) {
    Path missing = directory.resolve("missing.db");
    for (List<String> command : commands()) {
      List<String> args = new ArrayList<>(command);
      args.add("--url=jdbc:sqlite:" + form.formatted(missing));
      Outcome outcome = Commands.run(args.toArray(String[]::new));
      assertThat(outcome.exitCode()).as(args.toString()).isNotZero();
      assertThat(outcome.err()).as(args.toString()).contains("There is no file " + missing);
      assertThat(Files.exists(missing)).as(args.toString()).isFalse();
    }
  }

  private static List<List<String>> commands() {
    return List.of(
        List.of("run", "show", RUN),
        List.of("run", "find", "orders", "7"),
        List.of("run", "cancel", RUN, "--reason=why"),
        List.of("runs", "list"),
        List.of("quarantine", "list"),
        List.of("pipeline", "paused"),
        List.of("check", "--deployment", "dev.standpipe.cli.MistakesTest$None"),
        List.of("doctor"));
  }

  @ParameterizedTest
  @CsvSource({
    "dcotor, standpipe doctor",
    "dem, standpipe demo",
    "run shwo, standpipe run show",
    "run shwo 7 --url=x, standpipe run show",
    "quarantine lst, standpipe quarantine list"
  })
  void aMisspelledCommandGetsASuggestion(String line, String meant) {
    Outcome outcome = Commands.run(line.split(" ", -1));
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("Did you mean: " + meant + "?").hasLineCount(1);
  }

  @Test
  void theErrorComesBeforeTheUsage() {
    for (String line : List.of("run show", "run", "bogus", "demo --bogus")) {
      assertThat(Commands.run(line.split(" ", -1)).err()).startsWith("standpipe: ");
    }
  }

  @Test
  void aMissingDatabaseUrlIsAskedFor() {
    Outcome outcome = Commands.run("run", "show", RUN);
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("--url or STANDPIPE_URL").hasLineCount(1);
  }

  /** Serves nothing. */
  public static final class None implements dev.standpipe.Deployment {
    @Override
    public List<dev.standpipe.Pipeline<?, ?>> pipelines() {
      return List.of();
    }
  }
}
