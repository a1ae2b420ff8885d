package dev.standpipe.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.TypeToken;
import dev.standpipe.error.InvalidValueException;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class CodecProperties {
  private static final int LIMIT = 1_000;
  private static final List<Type> TYPES =
      List.of(
          String.class,
          Integer.class,
          long.class,
          double.class,
          boolean.class,
          BigDecimal.class,
          BigInteger.class,
          byte[].class,
          UUID.class,
          DayOfWeek.class,
          Instant.class,
          Duration.class,
          Period.class,
          Year.class,
          LocalDate.class,
          LocalTime.class,
          OffsetDateTime.class,
          ZonedDateTime.class,
          Object.class,
          Shape.class,
          new TypeToken<List<Shape>>() {}.type(),
          new TypeToken<Map<UUID, Instant>>() {}.type(),
          new TypeToken<Optional<Duration>>() {}.type());

  private final CheckedCodec codec = new CheckedCodec(new JacksonCodec(), LIMIT);

  record Shape(
      String name, Instant at, Duration how, List<Integer> sizes, Map<DayOfWeek, Shape> parts) {}

  @Property(tries = 2_000)
  void textReadsBackUnchangedOrIsRefused(@ForAll("texts") String text) {
    boolean storable =
        text.codePoints().noneMatch(c -> c == 0 || (c >= 0xd800 && c <= 0xdfff))
            && new JacksonCodec().encode(text, String.class).getBytes(StandardCharsets.UTF_8).length
                <= LIMIT;
    if (storable) {
      assertThat(codec.decode(codec.encode(text, String.class), String.class)).isEqualTo(text);
      assertThat(codec.decode(codec.encode(text, Object.class), Object.class)).isEqualTo(text);
    } else {
      assertThatThrownBy(() -> codec.encode(text, String.class))
          .isInstanceOf(InvalidValueException.class);
    }
  }

  @Property(tries = 5_000)
  void anyStoredTextIsReadOrRefused(@ForAll("stored") String text, @ForAll("types") Type type) {
    try {
      codec.decode(text, type);
    } catch (InvalidValueException e) {
      assertThat(e)
          .hasMessageStartingWith("Stored JSON does not fit the type " + type.getTypeName());
    }
  }

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> wild =
        Arbitraries.chars()
            .range(Character.MIN_VALUE, Character.MAX_VALUE)
            .array(char[].class)
            .ofMaxSize(400)
            .map(String::new);
    Arbitrary<String> escapes =
        Arbitraries.strings().withChars("\\u0\0\"n\ud83d\udca7").ofMaxLength(20);
    Arbitrary<String> tame = Arbitraries.strings().withCharRange(' ', '\ud7ff').ofMaxLength(400);
    return Arbitraries.oneOf(wild, escapes, tame);
  }

  @Provide
  Arbitrary<String> stored() {
    Arbitrary<String> scalars = scalars();
    Arbitrary<String> lists = listOf(scalars);
    Arbitrary<String> parts = scalars.map(part -> "{\"MONDAY\":{\"at\":" + part + "}}");
    Arbitrary<String> objects =
        Arbitraries.maps(
                Arbitraries.of("name", "at", "how", "sizes", "parts", "0", "MONDAY"),
                Arbitraries.oneOf(scalars, lists, parts))
            .ofMaxSize(5)
            .map(CodecProperties::object);
    return Arbitraries.oneOf(texts(), scalars, lists, objects, listOf(objects));
  }

  @Provide
  Arbitrary<Type> types() {
    return Arbitraries.of(TYPES);
  }

  private Arbitrary<String> scalars() {
    Arbitrary<String> numbers =
        Arbitraries.oneOf(
            Arbitraries.bigDecimals()
                .between(new BigDecimal("-1e40"), new BigDecimal("1e40"))
                .map(BigDecimal::toString),
            Arbitraries.integers().map(exponent -> "1e" + exponent),
            Arbitraries.longs().map(exponent -> "-1.5e" + exponent),
            Arbitraries.strings().numeric().ofMinLength(1).ofMaxLength(60));
    return Arbitraries.oneOf(
        numbers,
        numbers.map(CodecProperties::quoted),
        texts().map(CodecProperties::quoted),
        Arbitraries.of("null", "true", "\"P1D\"", "\"PT1S\"", "\"2024-02-30\"", "\"MONDAY\""));
  }

  private static Arbitrary<String> listOf(Arbitrary<String> parts) {
    return parts.list().ofMaxSize(4).map(list -> "[" + String.join(",", list) + "]");
  }

  private static String object(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> quoted(field.getKey()) + ":" + field.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }
}
