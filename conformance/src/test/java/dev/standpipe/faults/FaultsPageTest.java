package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.spi.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The operator's page on faults and the tests that stage them speak of the same things. */
class FaultsPageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path PAGE = ROOT.resolve("docs/faults.md");

  /** Those up to here have a row each, whether staged or not; later ones once they are staged. */
  private static final int ANNOUNCED = 34;

  private static final int FAULTS = 52;
  private static final Set<Integer> WAITING = Set.of();
  private static final Pattern ROW = Pattern.compile("\\| F(\\d+) \\|(.*)\\|");
  private static final Pattern LISTED = Pattern.compile("`(F\\d\\d\\w+Test)`");
  private static final Pattern TEST = Pattern.compile("F(\\d\\d)[A-Z]\\w*Test\\.java");
  private static final Pattern EVENT = Pattern.compile("`([a-z]+(?:_[a-z]+)+)`");

  /** A row of the page. */
  private record Row(int number, List<String> cells) {
    String test() {
      return cells.get(cells.size() - 1);
    }
  }

  @Test
  void everyFaultHasOneFullRow() throws IOException {
    List<Row> rows = rows();
    assertThat(rows)
        .extracting(Row::number)
        .containsExactlyInAnyOrderElementsOf(
            union(
                IntStream.rangeClosed(1, ANNOUNCED).boxed().collect(Collectors.toSet()),
                tests().keySet()));
    assertThat(rows).allSatisfy(row -> assertThat(row.cells()).hasSize(5).doesNotContain(""));
  }

  @Test
  void everyRowNamesItsTests() throws IOException {
    Map<Integer, Set<String>> tests = tests();
    for (Row row : rows()) {
      Set<String> listed =
          LISTED.matcher(row.test()).results().map(m -> m.group(1)).collect(Collectors.toSet());
      assertThat(listed)
          .as("tests in row F%d of docs/faults.md", row.number())
          .isEqualTo(tests.getOrDefault(row.number(), Set.of()));
      if (listed.isEmpty()) {
        assertThat(row.test())
            .as("row F%d of docs/faults.md", row.number())
            .isEqualTo(WAITING.contains(row.number()) ? "waits" : "planned");
      }
    }
    assertThat(tests.keySet()).allMatch(number -> number >= 1 && number <= FAULTS);
  }

  @Test
  void everyEventOnThePageExists() throws IOException {
    Set<String> published =
        Arrays.stream(Event.class.getPermittedSubclasses())
            .map(event -> snake(event.getSimpleName()))
            .collect(Collectors.toSet());
    Set<String> named =
        EVENT
            .matcher(Files.readString(PAGE))
            .results()
            .map(match -> match.group(1))
            .filter(name -> !name.startsWith("standpipe_") && !name.startsWith("pg_"))
            .collect(Collectors.toSet());
    assertThat(named).isNotEmpty().isSubsetOf(published);
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String line : Files.readAllLines(PAGE)) {
      Matcher matcher = ROW.matcher(line);
      if (matcher.matches()) {
        List<String> cells =
            Pattern.compile("\\|").splitAsStream(matcher.group(2)).map(String::strip).toList();
        rows.add(new Row(Integer.parseInt(matcher.group(1)), cells));
      }
    }
    return rows;
  }

  /** The tests of each fault, in whatever module they are. */
  private static Map<Integer, Set<String>> tests() throws IOException {
    Map<Integer, Set<String>> tests = new TreeMap<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path sources : modules.map(module -> module.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(sources)) {
          collect(sources, tests);
        }
      }
    }
    assertThat(tests).as("fault tests found below " + ROOT).isNotEmpty();
    return tests;
  }

  private static void collect(Path sources, Map<Integer, Set<String>> tests) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      files
          .map(file -> TEST.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .forEach(
              match ->
                  tests.merge(
                      Integer.parseInt(match.group(1)),
                      Set.of(match.group().replace(".java", "")),
                      FaultsPageTest::union));
    }
  }

  private static <T> Set<T> union(Set<T> one, Set<T> other) {
    return Stream.concat(one.stream(), other.stream()).collect(Collectors.toSet());
  }

  private static String snake(String camel) {
    return camel.replaceAll("(?<=[a-z])([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }
}
