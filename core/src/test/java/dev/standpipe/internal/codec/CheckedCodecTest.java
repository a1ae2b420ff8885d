package dev.standpipe.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.error.InvalidValueException;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckedCodecTest {
  private final CheckedCodec codec = new CheckedCodec(new JacksonCodec(), 1 << 20);

  @ParameterizedTest
  @ValueSource(strings = {"\0", "a\0", "\0a", "\\\0", "\\\\\0"})
  void aNulIsRefusedEverywhere(String text) {
    refuses(text, "\\u0000");
    refuses(List.of(text), "\\u0000");
    refuses(Map.of(text, 1), "\\u0000");
  }

  @Test
  void aRawNulFromTheCodecIsRefused() {
    CheckedCodec verbatim = new CheckedCodec(new Verbatim(), 100);
    assertThatThrownBy(() -> verbatim.encode("\"a\0\"", String.class))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("\\u0000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\u0000", "\\\\u0000", "C:\\u0000", "u0000", "\\", "\\u0001", "\u0001"})
  void textThatOnlyLooksLikeAnEscapedNulIsFine(String text) {
    assertThat(codec.decode(codec.encode(text, String.class), String.class)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud83d", "\udca7", "a\ud83d", "\ud83da", "\udca7\ud83d", "💧\ud83d"})
  void halfASurrogatePairIsRefused(String text) {
    refuses(text, "half a surrogate pair");
    refuses(Map.of(text, 1), "half a surrogate pair");
  }

  @Test
  void wholeSurrogatePairsAreFine() {
    assertThat(codec.decode(codec.encode("💧💧", String.class), String.class)).isEqualTo("💧💧");
  }

  @Test
  void theLimitIsInBytesOfUtf8() {
    CheckedCodec tight = new CheckedCodec(new JacksonCodec(), 30);
    assertThat(tight.encode("a".repeat(28), String.class)).hasSize(30);
    assertThat(tight.encode("é".repeat(14), String.class)).hasSize(16);
    assertThat(tight.encode("€".repeat(9), String.class)).hasSize(11);
    assertThat(tight.encode("💧".repeat(7), String.class)).hasSize(16);
    for (String tooLong : List.of("a".repeat(29), "é".repeat(15), "€".repeat(10), "💧".repeat(8))) {
      assertThatThrownBy(() -> tight.encode(tooLong, String.class))
          .isInstanceOf(InvalidValueException.class)
          .hasMessageContaining("over the limit of 30")
          .hasMessageContaining("maxValueBytes");
    }
  }

  @Test
  void theErrorStatesTheSizeOfTheValue() {
    refuses("a".repeat(1 << 20), "A value of " + ((1 << 20) + 2) + " bytes");
  }

  @Test
  void theCodecsRefusalIsPassedOn() {
    refuses(new JacksonCodecTest.Grumpy(), "cannot be written as JSON");
    assertThatThrownBy(() -> codec.decode("{", String.class))
        .isInstanceOf(InvalidValueException.class);
  }

  @Test
  void theFingerprintIsTheCodecsOwn() {
    assertThat(new CheckedCodec(new Verbatim(), 100).fingerprint("a", String.class))
        .isEqualTo("print of a");
  }

  private void refuses(Object value, String message) {
    assertThatThrownBy(() -> codec.encode(value, InferredType.of(value)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining(message);
  }

  private static final class Verbatim implements PayloadCodec {
    @Override
    public String encode(Object value, Type type) {
      return (String) value;
    }

    @Override
    public Object decode(String text, Type type) {
      return text;
    }

    @Override
    public String fingerprint(Object value, Type type) {
      return "print of " + value;
    }
  }
}
