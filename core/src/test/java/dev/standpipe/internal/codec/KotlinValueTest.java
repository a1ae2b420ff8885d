package dev.standpipe.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.TypeToken;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import kotlin.Pair;
import kotlin.Triple;
import kotlin.collections.IndexedValue;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.module.kotlin.KotlinModule;

/** Data classes that the compiler of Kotlin has made: those of its own library. */
class KotlinValueTest {
  private static final Pair<Integer, String> PAIR = new Pair<>(1, "one");
  private static final Type TYPE = new TypeToken<Pair<Integer, String>>() {}.type();

  private final PayloadCodec codec =
      PayloadCodec.json(JsonMapper.builder().addModule(new KotlinModule.Builder().build()).build());

  @Test
  void dataClassesReadBackWithTheKotlinModule() {
    comesBack(PAIR, TYPE);
    comesBack(
        new Triple<>(new BigDecimal("1.50"), LocalDate.EPOCH, PAIR),
        new TypeToken<Triple<BigDecimal, LocalDate, Pair<Integer, String>>>() {}.type());
    comesBack(
        Map.of("a", List.of(new IndexedValue<>(3, PAIR))),
        new TypeToken<Map<String, List<IndexedValue<Pair<Integer, String>>>>>() {}.type());
  }

  @Test
  void dataClassesAreRefusedWithoutTheKotlinModule() {
    assertThatThrownBy(() -> PayloadCodec.json().encode(PAIR, TYPE))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("kotlin.Pair");
  }

  private void comesBack(Object value, Type type) {
    assertThat(codec.decode(codec.encode(value, type), type)).isEqualTo(value);
  }
}
