package dev.standpipe.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.Garbage;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.Labels;
import dev.standpipe.internal.store.jdbc.Tables;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Names become SQL only if they are plain identifiers; labels come back as they went. */
class StoreFuzzProperties {
  private static final String PLAIN = "[a-z_][a-z0-9_]{0,29}";

  @Property(tries = 5_000)
  void onlyPlainIdentifiersBecomeSql(
      @ForAll("names") String schema, @ForAll("names") String prefix) {
    try {
      Tables tables = new Tables(Optional.of(schema), prefix);
      assertThat(schema).matches(PLAIN);
      assertThat(prefix).matches(PLAIN);
      assertThat(tables.resolve("delete from standpipe.task"))
          .isEqualTo("delete from \"" + schema + "\"." + prefix + "task");
    } catch (StandpipeException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.INVALID_SETTING);
      assertThat(schema.matches(PLAIN) && prefix.matches(PLAIN)).isFalse();
    }
  }

  @Property(tries = 1)
  void maliciousTableNamesAreRefused() {
    for (String name :
        new String[] {
          "",
          "a;drop table run",
          "a--",
          "a/*",
          "\"a\"",
          "a.b",
          "A",
          "1a",
          "a b",
          "a\n",
          "a\0",
          "ä",
          "a'",
          "a".repeat(31)
        }) {
      assertThatThrownBy(() -> new Tables(Optional.empty(), name))
          .as(name)
          .isInstanceOf(StandpipeException.class);
      assertThatThrownBy(() -> new Tables(Optional.of(name), "standpipe_"))
          .as(name)
          .isInstanceOf(StandpipeException.class);
    }
  }

  @Property(tries = 2_000)
  void labelsReadBackUnchanged(@ForAll("labels") Map<String, String> labels) {
    assertThat(Labels.parse(Labels.write(labels))).isEqualTo(labels);
  }

  @Provide
  Arbitrary<String> names() {
    return Arbitraries.oneOf(
        Garbage.text(),
        Arbitraries.strings().withChars("az_09").ofMinLength(1).ofMaxLength(32),
        Arbitraries.strings().withChars("az_09.;\"' -\n").ofMaxLength(12));
  }

  @Provide
  Arbitrary<Map<String, String>> labels() {
    Arbitrary<String> storable =
        Arbitraries.strings().withCharRange('\u0001', '\ud7ff').ofMaxLength(40);
    return Arbitraries.maps(storable, storable).ofMaxSize(6);
  }
}
