package dev.standpipe.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.standpipe.Garbage;
import dev.standpipe.TypeToken;
import dev.standpipe.error.InvalidValueException;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Whatever is stored as a value: it is one, or an {@link InvalidValueException}, and soon. */
class CodecFuzzProperties {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LIMIT = 1 << 20;
  private static final List<Type> TYPES =
      List.of(
          Object.class,
          Parcel.class,
          String.class,
          int.class,
          BigInteger.class,
          BigDecimal.class,
          new TypeToken<Map<String, List<Parcel>>>() {}.type());
  private static final String JSON =
      "{\"id\":17,\"weight\":1.25e3,\"sent\":\"2024-02-29T12:00:00Z\",\"tags\":[\"a\",null],"
          + "\"parts\":[{\"id\":18,\"tags\":[]}]}";

  private final CheckedCodec codec = new CheckedCodec(new JacksonCodec(), LIMIT);

  record Parcel(long id, BigDecimal weight, Instant sent, List<String> tags, List<Parcel> parts) {}

  @Property(tries = 3_000)
  void garbageIsReadOrRefused(@ForAll("garbage") String text, @ForAll("types") Type type) {
    readOrRefuse(text, type);
  }

  @Property(tries = 3_000)
  void aSpoiledValueIsReadOrRefused(@ForAll long seed, @ForAll("types") Type type) {
    readOrRefuse(Garbage.spoil(JSON, seed), type);
  }

  @Property(tries = 60)
  void anyDepthIsReadOrRefused(
      @ForAll @IntRange(min = 1, max = 200_000) int depth,
      @ForAll boolean closed,
      @ForAll boolean objects,
      @ForAll("types") Type type) {
    readOrRefuse(Garbage.nested(depth, closed, objects), type);
    readOrRefuse("{\"parts\":" + Garbage.nested(depth, closed, objects) + "}", type);
  }

  @Property(tries = 60)
  void anyNumberIsReadOrRefused(
      @ForAll @IntRange(min = 1, max = 1_000_000) int digits, @ForAll("types") Type type) {
    readOrRefuse("9".repeat(digits), type);
    readOrRefuse("0." + "1".repeat(digits), type);
    readOrRefuse("1e" + "9".repeat(Math.min(digits, 1_000)), type);
  }

  /** What was read can be written, and comes back the same; or it is refused in so many words. */
  private void readOrRefuse(String text, Type type) {
    assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          try {
            Object value = codec.decode(text, type);
            String written = codec.encode(value, type);
            assertThat(codec.encode(codec.decode(written, type), type)).isEqualTo(written);
          } catch (InvalidValueException e) {
            assertThat(e.getMessage()).isNotBlank();
          }
        });
  }

  @Provide
  Arbitrary<String> garbage() {
    return Garbage.text();
  }

  @Provide
  Arbitrary<Type> types() {
    return Arbitraries.of(TYPES);
  }
}
