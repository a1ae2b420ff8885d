package dev.standpipe.internal.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What dialects say in the same words is written once, and what the code asks for is there. */
final class SharedSqlTest {
  private static final List<String> DIALECTS = List.of("postgres", "sqlite");
  private static final Path RESOURCES = Path.of("src/main/resources/dev/standpipe/sql");
  private static final Path SOURCES = Path.of("src/main/java");

  private static final Pattern ASKED = Pattern.compile("\\bquery\\(\\s*\"(\\w+)\"");

  /** Whoever looks at the database itself looks at what this database has. */
  private static final Set<String> OWN_CHECKS =
      Set.of(
          "doctor_dead_tuples",
          "doctor_encoding",
          "doctor_free_pages",
          "doctor_journal",
          "doctor_long_transaction");

  /** What is asked only of those who can do this. */
  private static final Map<Capability, Set<String>> WITH =
      Map.of(
          Capability.ONE_STATEMENT_WRITES,
          Set.of(
              "run_start_one",
              "run_start_one_keyed",
              "run_start_unkeyed",
              "settle",
              "settle_drain",
              "settle_elements",
              "settle_one_last",
              "settle_one_on"),
          Capability.SHARED_ROWS,
          Set.of("part_dissolve", "part_of_process", "part_of_run", "part_settle"),
          Capability.MANY_WRITERS,
          Set.of("outbox_share", "process_settling", "run_hold", "run_wait"),
          Capability.CHANGE_VERSION,
          Set.of("needs_version"));

  /** What is asked only of those who cannot. */
  private static final Map<Capability, Set<String>> WITHOUT =
      Map.of(
          Capability.ONE_STATEMENT_WRITES,
          Set.of(
              "outbox_adopted",
              "outbox_drop",
              "outbox_hand_over",
              "process_crash_attempts",
              "process_heard_of",
              "run_cut_off_attempts",
              "run_cut_off_told",
              "run_put_off",
              "run_start_results",
              "run_start_tasks",
              "settle_go_on",
              "settle_guard",
              "settle_hand_over",
              "settle_move",
              "settle_remove",
              "task_ready_lanes"));

  @Test
  void noTwoDialectsSayTheSame() {
    assertThat(said(DIALECTS)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("dialects")
  void noDialectRepeatsWhatIsShared(String dialect) {
    assertThat(said(List.of(dialect, SqlFolder.SHARED))).isEmpty();
  }

  @Test
  void whatIsSharedIsUsedByMoreThanOne() {
    List<SqlFolder> dialects = DIALECTS.stream().map(SqlFolder::read).toList();
    for (String name : SqlFolder.read(SqlFolder.SHARED).statements().keySet()) {
      assertThat(dialects.stream().filter(own -> !own.statements().containsKey(name)))
          .as(name)
          .hasSizeGreaterThan(1);
    }
  }

  @Test
  void everyStatementThatTheCodeNamesIsThere() {
    Set<String> names = new TreeSet<>();
    DIALECTS.forEach(dialect -> names.addAll(sql(dialect).all().keySet()));
    assertThat(asked()).hasSizeGreaterThan(100).isSubsetOf(names);
  }

  @ParameterizedTest
  @MethodSource("dialects")
  void aDialectHasAllThatItsCapabilitiesAskFor(String dialect) {
    Set<String> expected = new TreeSet<>();
    DIALECTS.forEach(one -> expected.addAll(common(one)));
    Dialect own = Dialects.named(dialect);
    WITH.forEach((capability, names) -> drop(expected, names, !own.has(capability)));
    WITHOUT.forEach((capability, names) -> drop(expected, names, own.has(capability)));
    assertThat(common(dialect)).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("folders")
  void everyFileIsLoaded(String folder) throws IOException {
    try (Stream<Path> files = Files.list(RESOURCES.resolve(folder))) {
      List<String> known = new ArrayList<>(SqlFolder.FILES);
      known.addAll(List.of("schema", "views"));
      known.replaceAll(file -> file + ".sql");
      assertThat(files.map(file -> file.getFileName().toString())).isSubsetOf(known);
    }
  }

  @Test
  void aTextThatIsTheSameButForCommentsAndSpaceIsTheSame() {
    SqlFolder one = SqlFolder.parse("-- name: a\n-- Why.\nselect  1\nfrom x\n-- name: b\nselect 2");
    SqlFolder other = SqlFolder.parse("-- name: a\nselect 1 from x -- here\n-- name: b\nselect 3");
    assertThat(alike(one, other)).containsExactly("a");
    assertThatThrownBy(() -> sql("oracle")).hasMessageContaining("oracle/fragments.sql");
  }

  static List<String> dialects() {
    return DIALECTS;
  }

  static List<String> folders() {
    return Stream.concat(DIALECTS.stream(), Stream.of(SqlFolder.SHARED)).toList();
  }

  /** By those who say it. */
  private static Map<String, Set<String>> said(List<String> folders) {
    Map<String, Set<String>> same = new TreeMap<>();
    for (String one : folders) {
      for (String other : folders.subList(folders.indexOf(one) + 1, folders.size())) {
        Set<String> names = alike(SqlFolder.read(one), SqlFolder.read(other));
        if (!names.isEmpty()) {
          same.put(one + " and " + other, names);
        }
      }
    }
    return same;
  }

  /** The names under which both have the same text. Nothing at all is nothing they have. */
  private static Set<String> alike(SqlFolder one, SqlFolder other) {
    Map<String, String> texts = texts(other);
    Set<String> names = new TreeSet<>();
    texts(one)
        .forEach(
            (name, text) -> {
              if (!text.isEmpty() && text.equals(texts.get(name))) {
                names.add(name);
              }
            });
    return names;
  }

  private static Map<String, String> texts(SqlFolder folder) {
    Map<String, String> texts = new TreeMap<>(folder.statements());
    folder.fragments().forEach((name, fragment) -> texts.put(name, fragment.text()));
    texts.replaceAll((name, text) -> text.replaceAll("\\s+", " ").strip());
    return texts;
  }

  private static Sql sql(String dialect) {
    return new Sql(dialect, Tables.DEFAULT);
  }

  /** The names that are not of checks of its own. */
  private static Set<String> common(String dialect) {
    Set<String> names = new TreeSet<>(sql(dialect).all().keySet());
    names.removeAll(OWN_CHECKS);
    return names;
  }

  private static void drop(Set<String> names, Set<String> some, boolean dropped) {
    assertThat(names).containsAll(some);
    if (dropped) {
      names.removeAll(some);
    }
  }

  private static Set<String> asked() {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        ASKED.matcher(Files.readString(file)).results().forEach(name -> names.add(name.group(1)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return names;
  }
}
