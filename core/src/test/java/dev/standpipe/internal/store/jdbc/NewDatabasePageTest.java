package dev.standpipe.internal.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.internal.store.jdbc.Fragments.Fragment;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The page on adding a database names all that one has to bring, and nothing that is gone. */
final class NewDatabasePageTest {
  private static final Path PAGE = Path.of("..", "docs", "new-database.md");
  private static final Pattern USE = Pattern.compile("\\{([a-z_]+)");
  private static final Pattern CAPABILITY = Pattern.compile("(?m)^\\| `([A-Z_]+)` \\|");

  @Test
  void everyFragmentThatSharedStatementsLeaveToADialectIsThere() throws IOException {
    SqlFolder shared = SqlFolder.read(SqlFolder.SHARED);
    Map<String, Fragment> own = SqlFolder.read("sqlite").fragments();
    Set<String> left = new TreeSet<>();
    shared.statements().values().forEach(text -> left.addAll(uses(text)));
    shared.fragments().values().forEach(fragment -> left.addAll(uses(fragment.text())));
    left.retainAll(own.keySet());
    assertThat(left).hasSizeGreaterThan(10);
    for (String name : left) {
      String parameters = String.join(", ", own.get(name).parameters());
      assertThat(page())
          .contains("`" + name + (parameters.isEmpty() ? "" : "(" + parameters + ")") + "`");
    }
  }

  @Test
  void everyMethodOfADialectIsThere() throws IOException {
    for (Method method : Dialect.class.getDeclaredMethods()) {
      if (!method.isSynthetic() && !method.getName().equals("has")) {
        assertThat(page()).contains("`" + method.getName() + "`");
      }
    }
  }

  @Test
  void noCapabilityIsThereThatIsGone() throws IOException {
    Set<String> named =
        CAPABILITY.matcher(page()).results().map(name -> name.group(1)).collect(Collectors.toSet());
    assertThat(named)
        .isEqualTo(Arrays.stream(Capability.values()).map(Enum::name).collect(Collectors.toSet()));
  }

  @ParameterizedTest
  @EnumSource(Capability.class)
  void whoHasACapabilityIsSaid(Capability capability) throws IOException {
    String postgres = Dialects.named("postgres").has(capability) ? "yes" : "no";
    String sqlite = Dialects.named("sqlite").has(capability) ? "yes" : "no";
    assertThat(page())
        .containsPattern(
            "(?m)^\\| `" + capability + "` \\|.*\\| " + postgres + " \\| " + sqlite + " \\|$");
  }

  private static Set<String> uses(String text) {
    return USE.matcher(text)
        .results()
        .map((MatchResult use) -> use.group(1))
        .collect(Collectors.toSet());
  }

  private static String page() throws IOException {
    return Files.readString(PAGE);
  }
}
