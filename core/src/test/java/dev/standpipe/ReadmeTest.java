package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in the README is one: it compiles, runs and prints what it says. */
class ReadmeTest {
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("public class (\\w+)");

  /** The program runs in a directory of its own. */
  private static final String CLASS_PATH =
      Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
          .map(entry -> Path.of(entry).toAbsolutePath().toString())
          .collect(Collectors.joining(File.pathSeparator));

  @TempDir Path directory;

  @Test
  void theReadmeProgramRuns() throws IOException, InterruptedException {
    String program = program();
    Matcher name = NAME.matcher(program);
    assertThat(name.find()).isTrue();
    Path source = directory.resolve(name.group(1) + ".java");
    Files.writeString(source, program);
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null, null, null, "-cp", CLASS_PATH, "-d", directory.toString(), source.toString());
    assertThat(compiled).isZero();
    assertThat(run(name.group(1))).contains("Receipt[");
  }

  private static String program() throws IOException {
    List<String> programs =
        JAVA.matcher(Files.readString(Path.of("..", "README.md")))
            .results()
            .map(MatchResult::group)
            .filter(block -> block.contains("public static void main"))
            .map(block -> block.replaceAll("```(java)?\n?", ""))
            .toList();
    assertThat(programs).hasSize(1);
    return programs.get(0);
  }

  /** In a directory of its own, where its database is. */
  private String run(String main) throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                directory + System.getProperty("path.separator") + CLASS_PATH,
                main)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String printed = Files.readString(output);
    assertThat(process.exitValue()).as(printed).isZero();
    return printed;
  }
}
