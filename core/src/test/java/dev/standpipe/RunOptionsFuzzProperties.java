package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What a user, or a user's user, puts into a start: kept as it is, or refused before any SQL. */
class RunOptionsFuzzProperties {
  @Property(tries = 3_000)
  void aKeyIsKeptOrRefused(@ForAll("garbage") String text) {
    try {
      String key = RunOptions.key(text).key().orElseThrow();
      assertThat(key).isEqualTo(text).isNotBlank().hasSizeLessThanOrEqualTo(255);
      assertStorable(key);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageStartingWith("A run key has 1 to 255 characters");
    }
  }

  @Property(tries = 3_000)
  void aLabelIsKeptOrRefused(@ForAll("garbage") String name, @ForAll("garbage") String value) {
    try {
      RunOptions options = RunOptions.none().label(name, value);
      assertThat(options.labels()).containsOnlyKeys(name).containsValue(value);
      assertStorable(name);
      assertStorable(value);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageStartingWith("A label has a name");
    }
  }

  @Property(tries = 2_000)
  void aPriorityAndADelayAreWithinTheirLimits(@ForAll int priority, @ForAll Duration delay) {
    try {
      RunOptions options = RunOptions.none().priority(priority).delay(delay);
      assertThat(options.priority()).isBetween(-1000, 1000);
      assertThat(options.delay()).isBetween(Duration.ZERO, Duration.ofDays(36_500));
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).containsPattern("A (priority|delay) is from");
    }
  }

  private static void assertStorable(String text) {
    assertThat(text).doesNotContain("\0");
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(text);
  }

  @Provide
  Arbitrary<String> garbage() {
    return Garbage.text();
  }
}
