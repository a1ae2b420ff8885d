package dev.standpipe.cli.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.cli.Commands;
import dev.standpipe.cli.Commands.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

final class PipelineCommandTest {
  @TempDir private Path directory;

  private final Pipeline<String, String> pipeline =
      Pipeline.define(
          "printing",
          String.class,
          String.class,
          flow -> flow.input().step("press", String.class, text -> text + "!"));

  @BeforeEach
  void start() {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl(url());
    try (Standpipe client = Standpipe.on(source).start()) {
      client.start(pipeline, "x");
    }
  }

  private String url() {
    return "jdbc:sqlite:" + directory.resolve("x.db");
  }

  private Outcome pipeline(String command, String... more) {
    List<String> args = new ArrayList<>(List.of("pipeline", command, "--url", url()));
    args.addAll(List.of(more));
    if (!command.equals("paused")) {
      args.addAll(List.of("--by", "ann", "--reason", "why"));
    }
    return Commands.run(args.toArray(String[]::new));
  }

  @Test
  void pausesAPipelineAndResumesIt() {
    Outcome paused = pipeline("pause", "printing");
    assertThat(paused.err()).isEmpty();
    assertThat(paused.out()).startsWith("printing: paused, what runs may finish");
    assertThat(pipeline("pause", "printing").out()).contains("it was already");
    assertThat(pipeline("paused").out()).startsWith("printing  ").endsWith("  ann  why\n");
    assertThat(pipeline("paused", "--json").out())
        .startsWith("[{\"pipeline\":\"printing\",\"since\":")
        .contains("\"by\":\"ann\",\"reason\":\"why\"");
    assertThat(pipeline("resume", "printing", "--json").out()).contains("\"changed\":true");
    assertThat(pipeline("paused").out()).isEmpty();
  }

  @Test
  void pausesOneDefinitionAndResumesIt() {
    String hash = pipeline.graph().hash().substring(0, 8);
    assertThat(pipeline("pause", "printing", "--definition", hash).out())
        .startsWith("printing@" + hash + ": paused");
    assertThat(pipeline("paused").out()).startsWith("printing  " + pipeline.graph().hash());
    Outcome whole = pipeline("resume", "printing");
    assertThat(whole.exitCode()).isEqualTo(1);
    assertThat(whole.err()).contains("not paused as a whole");
    assertThat(pipeline("resume", "printing", "--definition", hash).out()).contains("it goes on");
    assertThat(pipeline("resume", "printing", "--definition", hash).err())
        .contains("not paused by itself");
  }

  @Test
  void unknownPipelinesAndDefinitionsAreExplained() {
    Outcome nobody = pipeline("pause", "nobody");
    assertThat(nobody.exitCode()).isEqualTo(1);
    assertThat(nobody.err()).contains("No process has ever served a pipeline named \"nobody\"");
    assertThat(pipeline("pause", "printing", "--definition", "x").err())
        .contains(pipeline.graph().hash().substring(0, 12));
    Outcome none = Commands.run("pipeline");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err()).contains("pause, resume or paused");
  }
}
