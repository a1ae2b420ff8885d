package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page that walks through the code names classes and methods that are there. */
class WalkPageTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern STOP = Pattern.compile("\\[`(\\w+)#(\\w+)`]\\(([^)]+)\\)");

  @Test
  void everyStopNamesAMethodOfItsFile() throws IOException {
    List<MatchResult> stops =
        STOP.matcher(Files.readString(DOCS.resolve("walk.md"))).results().toList();
    assertThat(stops).hasSizeGreaterThan(15);
    for (MatchResult stop : stops) {
      Path file = DOCS.resolve(stop.group(3)).normalize();
      assertThat(file).as(stop.group()).isRegularFile();
      assertThat(file.getFileName()).hasToString(stop.group(1) + ".java");
      assertThat(Files.readString(file)).as(stop.group()).containsPattern(declared(stop.group(2)));
    }
  }

  /** A type, then the name and its parameters: a declaration and not a call. */
  private static Pattern declared(String method) {
    return Pattern.compile("(?m)^  +(?!return|new|throw)[\\w<>@\\[\\], ?]+ " + method + "\\(");
  }
}
