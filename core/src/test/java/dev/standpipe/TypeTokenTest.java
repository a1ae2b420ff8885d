package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TypeTokenTest {
  @Test
  void aTokenNamesAGenericType() {
    Type type = new TypeToken<Map<String, List<Integer>>>() {}.type();
    assertThat(type).isInstanceOf(ParameterizedType.class);
    assertThat(((ParameterizedType) type).getRawType()).isEqualTo(Map.class);
    assertThat(type.getTypeName())
        .isEqualTo("java.util.Map<java.lang.String, java.util.List<java.lang.Integer>>");
  }

  @Test
  void aTokenOfAClassIsTheClass() {
    assertThat(TypeToken.of(String.class).type()).isEqualTo(String.class);
    assertThat(TypeToken.of(String.class)).hasToString("java.lang.String");
    assertThat(new TypeToken<String>() {}.type()).isEqualTo(String.class);
  }

  @Test
  @SuppressWarnings("rawtypes")
  void aTokenWithoutItsTypeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TypeToken() {})
        .withMessageContaining("new TypeToken<List<Item>>() {}");
  }
}
