package dev.standpipe.cli.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.cli.Commands;
import dev.standpipe.cli.Commands.Outcome;
import dev.standpipe.outbox.Sink;
import dev.standpipe.outbox.SinkPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

final class OutboxCommandTest {
  @TempDir private Path directory;

  private final Pipeline<String, String> pipeline =
      Pipeline.define(
          "printing",
          String.class,
          String.class,
          flow ->
              flow.input()
                  .step(
                      "press",
                      String.class,
                      (text, ctx) -> {
                        ctx.emit("printed", text);
                        return text;
                      }));

  /** A sink with two dead letters, and one with nothing to do. */
  @BeforeEach
  void start() throws InterruptedException {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl(url());
    Sink refuses =
        Sink.of(
            "refuses",
            SinkPolicy.standard().withMaxTries(1),
            events -> {
              throw new IllegalStateException("no paper");
            });
    try (Standpipe standpipe =
        Standpipe.on(source)
            .serve(pipeline)
            .sink(refuses, Sink.of("takes", events -> {}))
            .start()) {
      for (int i = 0; i < 2; i++) {
        standpipe.start(pipeline, "page").await(Duration.ofSeconds(30));
      }
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  standpipe.operator("test").outbox().sinks().stream()
                      .anyMatch(sink -> sink.dead() == 2));
    }
  }

  private String url() {
    return "jdbc:sqlite:" + directory.resolve("x.db");
  }

  private Outcome outbox(String command, String... more) {
    List<String> args = new ArrayList<>(List.of("outbox", command, "--url", url()));
    args.addAll(List.of(more));
    return Commands.run(args.toArray(String[]::new));
  }

  @Test
  void deadLettersAreSeenReplayedAndDiscarded() {
    assertThat(outbox("lag").out()).contains("refuses  0  none  2", "takes  0  none  0");
    List<String> dead = outbox("dead", "refuses").out().lines().toList();
    assertThat(dead).hasSize(2);
    assertThat(dead.get(0)).contains("printed", "no paper");
    String first = dead.get(0).split(" ", 2)[0];
    String second = dead.get(1).split(" ", 2)[0];
    assertThat(outbox("replay", "refuses", first, "--reason", "paper is there").out())
        .isEqualToIgnoringNewLines("refuses: to be tried again: " + first);
    assertThat(outbox("discard", "refuses", second, "--reason", "not needed").out())
        .isEqualToIgnoringNewLines("refuses: discarded " + second);
    assertThat(outbox("discard", "refuses", second, "--reason", "not needed").out())
        .contains("is no dead letter");
    assertThat(outbox("list", "refuses").out()).contains(first, "printed");
    assertThat(outbox("lag", "--json").out())
        .contains("\"sink\":\"refuses\",\"pending\":1")
        .contains("\"dead\":0");
  }

  @Test
  void aSinkIsPausedResumedAndRemoved() {
    assertThat(outbox("pause", "takes", "--reason", "maintenance", "--by", "ana").out())
        .contains("takes: paused");
    assertThat(outbox("lag").out()).contains("ana: maintenance");
    assertThat(outbox("resume", "takes", "--reason", "done").out()).contains("takes: resumed");
    assertThat(outbox("remove", "takes", "--reason", "not declared").out())
        .contains("takes: removed");
    Outcome again = outbox("remove", "takes", "--reason", "not declared");
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("There is no sink \"takes\"");
  }

  @Test
  void whatToDoHasToBeSaid() {
    assertThat(Commands.run("outbox").err()).contains("Say what to do: lag, list, dead");
    assertThat(outbox("pause", "takes").err()).contains("--reason");
  }
}
