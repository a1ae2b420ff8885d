package dev.standpipe.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.TypeToken;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.InvalidValueException;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JacksonCodecTest {
  private final JacksonCodec codec = new JacksonCodec();

  record Line(String sku, int count, BigDecimal price) {}

  record Order(
      UUID id,
      Instant at,
      LocalDate due,
      Duration patience,
      DayOfWeek day,
      Optional<String> note,
      List<Line> lines,
      Map<String, Long> counts,
      List<Byte> seal) {}

  @Test
  void recordsReadBackUnchanged() {
    Order order =
        new Order(
            UUID.fromString("01890000-0000-7000-8000-000000000001"),
            Instant.parse("2024-02-29T12:34:56.123456789Z"),
            LocalDate.of(2024, 2, 29),
            Duration.ofMillis(1500),
            DayOfWeek.SUNDAY,
            Optional.of("ring twice"),
            List.of(new Line("cup", 2, new BigDecimal("19.90"))),
            Map.of("a", Long.MAX_VALUE),
            List.of((byte) 0, (byte) 127, (byte) -128));
    assertThat(roundTrip(order, Order.class)).isEqualTo(order);
  }

  @Test
  void bytesReadBackUnchanged() {
    byte[] bytes = {0, 1, -1, 127, -128};
    assertThat((byte[]) roundTrip(bytes, byte[].class)).isEqualTo(bytes);
  }

  @Test
  void momentsKeepTheirNanoseconds() {
    Instant instant = Instant.parse("2024-02-29T12:34:56.123456789Z");
    LocalDateTime local = LocalDateTime.parse("2024-02-29T12:34:56.000000001");
    assertThat(roundTrip(instant, Instant.class)).isEqualTo(instant);
    assertThat(roundTrip(Instant.MAX, Instant.class)).isEqualTo(Instant.MAX);
    assertThat(roundTrip(Instant.MIN, Instant.class)).isEqualTo(Instant.MIN);
    assertThat(roundTrip(local, LocalDateTime.class)).isEqualTo(local);
    assertThat(roundTrip(Duration.ofNanos(-1), Duration.class)).isEqualTo(Duration.ofNanos(-1));
  }

  @Test
  void aMomentKeepsItsOffsetAndItsZone() {
    OffsetDateTime offset = OffsetDateTime.parse("2024-02-29T12:00:00+05:30");
    ZonedDateTime zoned = ZonedDateTime.parse("2024-02-29T12:00:00+01:00[Europe/Paris]");
    assertThat(roundTrip(offset, OffsetDateTime.class)).isEqualTo(offset);
    assertThat(roundTrip(zoned, ZonedDateTime.class)).isEqualTo(zoned);
  }

  @Test
  void genericTypesReadBackByTheirToken() {
    Type type = new TypeToken<Map<String, List<Line>>>() {}.type();
    Map<String, List<Line>> value = Map.of("a", List.of(new Line("cup", 1, BigDecimal.ONE)));
    assertThat(roundTrip(value, type)).isEqualTo(value);
  }

  @Test
  void numbersKeepTheirDigits() {
    BigDecimal price = new BigDecimal("0.10");
    BigInteger huge = BigInteger.TWO.pow(200);
    assertThat(roundTrip(price, BigDecimal.class)).isEqualTo(price);
    assertThat(roundTrip(huge, BigInteger.class)).isEqualTo(huge);
    assertThat(roundTrip(Long.MIN_VALUE, Long.class)).isEqualTo(Long.MIN_VALUE);
    assertThat(roundTrip(0.1 + 0.2, Double.class)).isEqualTo(0.1 + 0.2);
  }

  @Test
  void nullReadsBackAsNull() {
    assertThat(codec.encode(null, Order.class)).isEqualTo("null");
    assertThat(codec.decode("null", Order.class)).isNull();
    assertThat(codec.decode("null", String.class)).isNull();
    assertThat(roundTrip(new Line(null, 1, null), Line.class)).isEqualTo(new Line(null, 1, null));
  }

  @Test
  void equalMapsGiveEqualText() {
    Map<String, Integer> one = new LinkedHashMap<>();
    one.put("b", 2);
    one.put("a", 1);
    Map<String, Integer> other = new HashMap<>(Map.of("a", 1, "b", 2));
    Type type = new TypeToken<Map<String, Integer>>() {}.type();
    assertThat(codec.encode(one, type))
        .isEqualTo(codec.encode(other, type))
        .isEqualTo("{\"a\":1,\"b\":2}");
    assertThat(codec.fingerprint(one, type)).isEqualTo(codec.fingerprint(other, type));
  }

  @Test
  void aFieldAddedOrRemovedBetweenDeploysDoesNoHarm() {
    assertThat(codec.decode("{\"sku\":\"cup\",\"count\":1,\"colour\":\"red\"}", Line.class))
        .isEqualTo(new Line("cup", 1, null));
  }

  @Test
  void aValueThatContainsItselfIsRefused() {
    List<Object> circle = new ArrayList<>();
    circle.add(circle);
    assertThatThrownBy(() -> codec.encode(circle, new TypeToken<List<Object>>() {}.type()))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("A value of type java.util.ArrayList cannot be written as JSON: ");
    assertThatThrownBy(() -> codec.encode(new Mirror(), Mirror.class))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("Mirror cannot be written as JSON: ");
  }

  @Test
  void aValueThatCannotBeReadIsRefused() {
    assertThatThrownBy(() -> codec.encode(new Grumpy(), Grumpy.class))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("Grumpy")
        .hasMessageContaining("not today");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "\"text\"",
        "{\"count\":\"many\"}",
        "{\"count\":1.5}",
        "{\"count\":null}",
        "{\"count\":99999999999}",
        "{} {}",
        "nul"
      })
  void mistypedJsonIsRefusedWithTheTypesName(String json) {
    assertThatThrownBy(() -> codec.decode(json, Line.class))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("Stored JSON does not fit the type " + Line.class.getName() + ": ")
        .extracting(error -> ((InvalidValueException) error).code())
        .isEqualTo(ErrorCode.INVALID_VALUE);
  }

  @Test
  void aTypeThatRefusesTheValueSaysWhy() {
    assertThatThrownBy(() -> codec.decode("{\"percent\":101}", Share.class))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("at most 100");
  }

  @Test
  void tooDeepNestingIsRefused() {
    String deep = "[".repeat(100_000) + "]".repeat(100_000);
    assertThatThrownBy(() -> codec.decode(deep, Object.class))
        .isInstanceOf(InvalidValueException.class);
    List<Object> nested = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      List<Object> around = new ArrayList<>();
      around.add(nested);
      nested = around;
    }
    List<Object> tooDeep = nested;
    assertThatThrownBy(() -> codec.encode(tooDeep, Object.class))
        .isInstanceOf(InvalidValueException.class);
  }

  @Test
  void aNumberThatBreaksJacksonIsRefused() {
    assertThatThrownBy(() -> codec.decode("1e-2147483648", BigDecimal.class))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("java.math.BigDecimal");
  }

  private Object roundTrip(Object value, Type type) {
    return codec.decode(codec.encode(value, type), type);
  }

  record Share(int percent) {
    Share {
      if (percent > 100) {
        throw new IllegalArgumentException("A share is at most 100");
      }
    }
  }

  /** Cannot be asked for its mood. */
  public static final class Grumpy {
    private final boolean today = false;

    public String getMood() {
      if (!today) {
        throw new IllegalStateException("not today");
      }
      return "fine";
    }
  }

  /** Sees itself. */
  public static final class Mirror {
    public Mirror getReflection() {
      return this;
    }
  }
}
