package dev.standpipe;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * Names a generic type where a {@code Class} cannot: {@code new TypeToken<List<Item>>() {}}.
 *
 * <p>Types tell the codec how to read a value back. They are never stored.
 *
 * @param <T> the type named
 */
public abstract class TypeToken<T> {
  private final Type type;

  /** Captures {@code T} of the anonymous subclass. */
  protected TypeToken() {
    if (getClass().getGenericSuperclass() instanceof ParameterizedType captured) {
      this.type = captured.getActualTypeArguments()[0];
    } else {
      throw new IllegalArgumentException(
          "A TypeToken needs its type: write new TypeToken<List<Item>>() {}");
    }
  }

  private TypeToken(Type type) {
    this.type = type;
  }

  /** The token of a plain class. */
  public static <T> TypeToken<T> of(Class<T> type) {
    return new PlainType<>(type);
  }

  /** The type named, for a codec. */
  public final Type type() {
    return type;
  }

  @Override
  public final String toString() {
    return String.valueOf(type == null ? null : type.getTypeName());
  }

  private static final class PlainType<T> extends TypeToken<T> {
    PlainType(Class<T> type) {
      super(type);
    }
  }
}
