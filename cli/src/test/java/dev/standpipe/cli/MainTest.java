package dev.standpipe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.cli.Commands.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MainTest {
  @Test
  void helpNamesTheCommandsAndHidesTheWorker() {
    Outcome outcome = Commands.run("--help");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).contains("demo", "schema", "version").doesNotContain("demo-worker");
    assertThat(outcome.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "schema", "quarantine", "run", "version"})
  void everyCommandHasHelp(String command) {
    Outcome outcome = Commands.run(command, "--help");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).startsWith("Usage: standpipe " + command);
  }

  @Test
  void anUnknownCommandGetsHelpAndExitCodeTwo() {
    Outcome outcome = Commands.run("xyzzy"); // like no command that could be suggested

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("'xyzzy'", "Usage: standpipe");
    assertThat(outcome.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo --bogus", "schema --dialect=sqlite --bogus", "version --bogus"})
  void anUnknownFlagGetsHelpAndExitCodeTwo(String line) {
    String[] args = line.split(" ", -1);

    Outcome outcome = Commands.run(args);

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("'--bogus'", "Usage: standpipe " + args[0]);
  }

  @Test
  void noCommandGetsHelpAndExitCodeTwo() {
    Outcome outcome = Commands.run();

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("Name a command.", "Usage: standpipe");
  }

  @Test
  void versionNamesStandpipeJavaAndTheSystem() {
    Outcome outcome = Commands.run("version");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out())
        .containsPattern("standpipe \\d+\\.\\d+")
        .contains(System.getProperty("java.version"), System.getProperty("os.name"));
    assertThat(Commands.run("--version").out()).startsWith("standpipe ").doesNotContain("${");
  }

  @Test
  void aFailurePrintsItsTraceOnlyWhenVerbose() {
    String[] failing = {"schema", "--dialect=postgres", "--table-prefix=No!"};

    Outcome plain = Commands.run(failing);
    Outcome verbose =
        Commands.run("schema", "--dialect=postgres", "--table-prefix=No!", "--verbose");

    assertThat(plain.exitCode()).isEqualTo(2);
    assertThat(plain.err().lines()).singleElement().asString().contains("No!", "lower-case");
    assertThat(verbose.err()).contains("\tat dev.standpipe");
  }
}
