package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** What a user, or a user's user, puts into a start: kept as it is, or refused before any SQL. */
class RunOptionsFuzzProperties {
  @Property(tries = 3_000)
  void aKeyIsKeptOrRefused(@ForAll("garbage") String text) {
    if (isStorable(text) && !text.isBlank() && text.length() <= 255) {
      assertThat(RunOptions.key(text).key()).contains(text);
    } else {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> RunOptions.key(text))
          .withMessageStartingWith("A run key has 1 to 255 characters");
    }
  }

  @Property(tries = 3_000)
  void aLabelIsKeptOrRefused(@ForAll("garbage") String name, @ForAll("garbage") String value) {
    if (isStorable(name) && isStorable(value) && !name.isBlank()) {
      assertThat(RunOptions.none().label(name, value).labels()).isEqualTo(Map.of(name, value));
    } else {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> RunOptions.none().label(name, value))
          .withMessageStartingWith("A label has a name");
    }
  }

  @Property(tries = 1_000)
  void aPriorityIsWithinItsLimits(@ForAll @IntRange(min = -3000, max = 3000) int priority) {
    if (Math.abs(priority) <= 1000) {
      assertThat(RunOptions.none().priority(priority).priority()).isEqualTo(priority);
    } else {
      assertThatIllegalArgumentException().isThrownBy(() -> RunOptions.none().priority(priority));
    }
  }

  @Property(tries = 1_000)
  void aDelayIsWithinItsLimits(@ForAll Duration delay) {
    if (!delay.isNegative() && delay.compareTo(Duration.ofDays(36_500)) <= 0) {
      assertThat(RunOptions.none().delay(delay).delay()).isEqualTo(delay);
    } else {
      assertThatIllegalArgumentException().isThrownBy(() -> RunOptions.none().delay(delay));
    }
  }

  /** Whether it survives being written as UTF-8, which half a surrogate pair does not. */
  private static boolean isStorable(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return text.indexOf('\0') < 0 && new String(bytes, StandardCharsets.UTF_8).equals(text);
  }

  @Provide
  Arbitrary<String> garbage() {
    return Garbage.text();
  }
}
