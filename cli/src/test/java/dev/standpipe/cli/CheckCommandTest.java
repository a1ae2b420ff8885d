package dev.standpipe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Deployment;
import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.cli.Commands.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

final class CheckCommandTest {
  @TempDir private Path directory;

  private static Pipeline<String, String> printing(String node) {
    return Pipeline.define(
        "printing",
        String.class,
        String.class,
        flow -> flow.input().step(node, String.class, text -> text));
  }

  /** What is deployed. */
  public static final class Old implements Deployment {
    @Override
    public List<Pipeline<?, ?>> pipelines() {
      return List.of(printing("press"));
    }
  }

  /** What is to be. */
  public static final class New implements Deployment {
    @Override
    public List<Pipeline<?, ?>> pipelines() {
      return List.of(printing("print"));
    }
  }

  private String url() {
    return "jdbc:sqlite:" + directory.resolve("x.db");
  }

  private Outcome check(String type, String... more) {
    List<String> args = new ArrayList<>(List.of("check", "--url", url(), "--deployment", type));
    args.addAll(List.of(more));
    return Commands.run(args.toArray(String[]::new));
  }

  @Test
  void reportsRunsThatNewCodeCannotTakeOver() {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl(url());
    try (Standpipe client = Standpipe.on(source).start()) {
      client.startAll(printing("press"), List.of("x", "y"));
    }
    Outcome same = check(Old.class.getName());
    assertThat(same.exitCode()).isZero();
    assertThat(same.out()).contains("can go on with all");
    Outcome other = check(New.class.getName(), "--class-path", directory.toString());
    assertThat(other.exitCode()).isEqualTo(1);
    assertThat(other.out().lines().toList())
        .hasSize(2)
        .anyMatch(line -> line.matches("printing@[0-9a-f]{12}, 2 runs:"))
        .contains("  node \"press\" is missing, unless it was renamed");
    assertThat(check(New.class.getName(), "--json").out())
        .startsWith("[{\"pipeline\":\"printing\",\"definition\":\"")
        .contains("\"runs\":2");
    assertThat(check("com.acme.Nothing").exitCode()).isEqualTo(2);
    assertThat(check("java.lang.String").err()).contains("implements dev.standpipe.Deployment");
  }
}
