package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunOptionsTest {
  @Test
  void nothingIsSetByDefault() {
    RunOptions none = RunOptions.none();
    assertThat(none.key()).isEmpty();
    assertThat(none.priority()).isZero();
    assertThat(none.labels()).isEmpty();
    assertThat(none.delay()).isZero();
    assertThat(none.deadline()).isEmpty();
  }

  @Test
  void aDeadlineIsLongerThanZeroAndNotForever() {
    RunOptions none = RunOptions.none();
    assertThatIllegalArgumentException().isThrownBy(() -> none.deadline(Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> none.deadline(Duration.ofMillis(-1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> none.deadline(ChronoUnit.FOREVER.getDuration()));
  }

  @Test
  void optionsKeepTheirValues() {
    RunOptions options =
        RunOptions.key("order-17")
            .priority(-1000)
            .label("customer", "acme")
            .label("region", "eu")
            .label("customer", "globex")
            .delay(Duration.ofMinutes(1))
            .deadline(Duration.ofHours(1));
    assertThat(options.deadline()).contains(Duration.ofHours(1));
    assertThat(options.key()).contains("order-17");
    assertThat(options.priority()).isEqualTo(-1000);
    assertThat(options.labels()).isEqualTo(Map.of("customer", "globex", "region", "eu"));
    assertThat(options.delay()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void aKeyMayBeGivenLast() {
    RunOptions options =
        RunOptions.none().priority(5).label("a", "b").delay(Duration.ofSeconds(1)).withKey("x");
    assertThat(options.key()).contains("x");
    assertThat(options.priority()).isEqualTo(5);
    assertThat(options.labels()).isEqualTo(Map.of("a", "b"));
    assertThat(options.delay()).isEqualTo(Duration.ofSeconds(1));
  }

  @ParameterizedTest
  @CsvSource({
    "RunOptions.key(\"x\").priority(5), true",
    "RunOptions.none().priority(5).withKey(\"x\"), true",
    "RunOptions.none().priority(5).key(\"x\"), false"
  })
  void codeThatDropsAnOptionDoesNotCompile(String expression, boolean compiles) {
    String code = "class Trap { dev.standpipe.RunOptions o = dev.standpipe." + expression + "; }";
    assertThat(compiles(code)).isEqualTo(compiles);
  }

  private static boolean compiles(String code) {
    SimpleJavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///Trap.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
          }
        };
    String classes = Path.of(URI.create(location(RunOptions.class))).toString();
    return ToolProvider.getSystemJavaCompiler()
        .getTask(
            new StringWriter(),
            null,
            null,
            List.of("-proc:none", "-implicit:none", "-classpath", classes, "-d", "target"),
            null,
            List.of(source))
        .call();
  }

  private static String location(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation().toString();
  }

  @Test
  void eachChangeIsACopy() {
    RunOptions before = RunOptions.none();
    RunOptions after = before.priority(5).label("a", "b").delay(Duration.ofSeconds(1));
    assertThat(before.priority()).isZero();
    assertThat(before.labels()).isEmpty();
    assertThat(before.delay()).isZero();
    assertThat(after.priority()).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \t", "a\0b", "half \ud83d pair", "\udc00"})
  void aBlankOrUnstorableKeyIsRefused(String key) {
    assertThatIllegalArgumentException().isThrownBy(() -> RunOptions.key(key));
  }

  @Test
  void aKeyHasAtMost255Characters() {
    assertThat(RunOptions.key("k".repeat(255)).key()).isPresent();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RunOptions.key("k".repeat(256)))
        .withMessageContaining("255");
    assertThat(RunOptions.key("ключ 🔑").key()).contains("ключ 🔑");
  }

  @Test
  void aPriorityOutOfRangeIsRefused() {
    assertThat(RunOptions.none().priority(1000).priority()).isEqualTo(1000);
    assertThatIllegalArgumentException().isThrownBy(() -> RunOptions.none().priority(1001));
    assertThatIllegalArgumentException().isThrownBy(() -> RunOptions.none().priority(-1001));
  }

  @Test
  void aLabelNeedsANameAndStorableText() {
    RunOptions none = RunOptions.none();
    assertThatIllegalArgumentException().isThrownBy(() -> none.label(" ", "value"));
    assertThatIllegalArgumentException().isThrownBy(() -> none.label("na\0me", "value"));
    assertThatIllegalArgumentException().isThrownBy(() -> none.label("name", "val\0ue"));
    assertThatIllegalArgumentException().isThrownBy(() -> none.label("name", "\ud83d"));
    assertThatIllegalArgumentException().isThrownBy(() -> none.label("\ud83d", "value"));
    assertThat(none.label("name", "").labels()).containsEntry("name", "");
  }

  @Test
  void aDelayIsNeitherNegativeNorForever() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RunOptions.none().delay(Duration.ofMillis(-1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RunOptions.none().delay(ChronoUnit.FOREVER.getDuration()));
    assertThat(RunOptions.none().delay(Duration.ofDays(365)).delay())
        .isEqualTo(Duration.ofDays(365));
  }
}
