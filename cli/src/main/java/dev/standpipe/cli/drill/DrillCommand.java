package dev.standpipe.cli.drill;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.standpipe.cli.database.Address;
import dev.standpipe.cli.database.CleanUp;
import dev.standpipe.cli.database.DatabaseOptions;
import dev.standpipe.cli.database.EmbeddedServer;
import dev.standpipe.cli.database.GivenDatabase;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code standpipe drill}: faults, staged and survived. */
@Command(
    name = "drill",
    description = {
      "Stage faults on a database, tell what happens, and check that every promise holds.",
      "Without --url on a PostgreSQL that the command starts. On your database it makes tables of its"
          + " own and drops them at the end.",
      "Drills: lease-race, worker-crash, zombie, poison, retry-backoff, partition, commit-lost, db-restart"
          + " (always on a server of its own), or all."
    },
    footer = {"", "Exits with 0 if all drills passed, otherwise with 1."})
public final class DrillCommand implements Callable<Integer> {
  private static final int INTERRUPTED = 130;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private DatabaseOptions database = new DatabaseOptions();

  @Parameters(
      paramLabel = "NAME",
      defaultValue = "all",
      description = "The drill, or all; by default ${DEFAULT-VALUE}.")
  private String name = "all";

  @Option(names = "--json", description = "Print the story as lines of JSON.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    List<Drill> drills =
        Drill.ALL.stream().filter(d -> name.equals("all") || name.equals(d.name())).toList();
    if (drills.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "There is no drill \"" + name + "\". There are: " + names() + ".");
    }
    keepLogsQuiet();
    PrintWriter out = spec.commandLine().getOut();
    Story story = new Story(out, json);
    int passed = 0;
    CleanUp cleanUp = new CleanUp();
    try (cleanUp) {
      Address address = address(cleanUp);
      for (Drill drill : drills) {
        passed += play(drill, new Theatre(address, story, cleanUp.nested()), story) ? 1 : 0;
        if (cleanUp.isInterrupted()) {
          return INTERRUPTED;
        }
      }
    }
    int failed = drills.size() - passed;
    out.println(
        json
            ? JsonMapper.shared().writeValueAsString(Map.of("passed", passed, "failed", failed))
            : "%d passed, %d failed".formatted(passed, failed));
    out.flush();
    return failed == 0 ? 0 : 1;
  }

  private Address address(CleanUp cleanUp) throws IOException {
    Optional<Address> given = database.given();
    if (given.isPresent()) {
      cleanUp.add(
          GivenDatabase.at(given.get(), "drill")); // whose new file, if it is one, goes again
      database.requireAnswer(given.get());
      return given.get();
    }
    Path directory = cleanUp.newDirectory();
    return cleanUp.open(() -> EmbeddedServer.in(directory)).address();
  }

  private static boolean play(Drill drill, Theatre theatre, Story story) {
    story.begin(drill.name(), drill.claim());
    boolean passed;
    try (theatre) {
      passed = drill.play(theatre).passed();
    } catch (Exception e) {
      story.tell("drill_broke", String.valueOf(e));
      passed = false;
    }
    story.tell(passed ? "drill_passed" : "drill_failed", drill.claim());
    return passed;
  }

  private static String names() {
    return Drill.ALL.stream().map(Drill::name).collect(Collectors.joining(", ")) + ", all";
  }

  /** The drill tells its own story; what it provokes on purpose need not be warned about. */
  private void keepLogsQuiet() {
    boolean verbose = Boolean.TRUE.equals(spec.root().findOption("--verbose").getValue());
    if (!verbose && LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
      root.setLevel(Level.OFF);
    }
  }
}
