package dev.standpipe.internal.codec;

import dev.standpipe.error.InvalidValueException;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON through Jackson, written by the type declared and read by the same. What would not come back
 * as it was is refused: by its type if that is enough to tell, and otherwise by reading what was
 * written.
 *
 * <p>Not all that Jackson, or a type it builds, may throw is a Jackson exception (an exponent out
 * of range is a {@code NumberFormatException}); whatever it is, the value is at fault.
 */
public final class JacksonCodec implements PayloadCodec {
  /** Shorter text has no number that is too long to be read. */
  private static final int SHORT = 1_000;

  private final JsonMapper mapper;
  private final boolean trusted;

  /** Types are those of a program's pipelines: few, and used again and again. */
  private final Map<Type, Known> types = new ConcurrentHashMap<>();

  private volatile @Nullable JsonMapper ordering; // made when a start has a key, not before

  /** With a mapper of its own. */
  public JacksonCodec() {
    this.mapper = Mappers.own();
    this.trusted = true;
  }

  /** With a copy of somebody's mapper. */
  public JacksonCodec(JsonMapper mapper) {
    this.mapper = Mappers.like(mapper);
    this.trusted = false;
  }

  /** A type, looked through, with what writes and reads its values. */
  private record Known(TypeAnalysis.TypeReport found, Writing writing, ObjectReader reader) {
    String write(@Nullable Object value) {
      return writing.text(value);
    }
  }

  /**
   * Writes values of one type. At the root Jackson asks a value of several classes for its class,
   * and forgets what the type has said about type parameters; inside of a list it does not.
   */
  private record Writing(ObjectWriter writer, boolean enclosed) {
    static Writing of(JavaType type, JsonMapper mapper) {
      boolean enclosed =
          type.hasGenericTypes() && !type.isContainerType() && !type.isReferenceType();
      return new Writing(
          mapper.writerFor(
              enclosed ? mapper.getTypeFactory().constructCollectionType(List.class, type) : type),
          enclosed);
    }

    String text(@Nullable Object value) {
      if (!enclosed) {
        return writer.writeValueAsString(value);
      }
      String list = writer.writeValueAsString(Collections.singletonList(value));
      return list.substring(list.indexOf('[') + 1, list.lastIndexOf(']')).strip();
    }
  }

  @Override
  public String encode(@Nullable Object value, Type type) {
    Known known = known(type);
    String text;
    try {
      text = known.write(value);
    } catch (RuntimeException | StackOverflowError e) {
      throw unwritable(value, reason(e), e);
    }
    if (isToBeTried(known.found(), text)) {
      requireSame(value, text, known, type);
    }
    return text;
  }

  private static boolean isToBeTried(TypeAnalysis.TypeReport found, String text) {
    return !found.proven()
        || (found.unbounded()
            && (text.length() > SHORT || text.contains("E+") || text.contains("E-")));
  }

  private static void requireSame(@Nullable Object value, String text, Known known, Type type) {
    boolean same;
    try {
      Object back = known.reader().readValue(text);
      same = Likeness.of(value, back, () -> known.write(back).equals(text));
    } catch (RuntimeException | StackOverflowError e) {
      throw unwritable(
          value, "it could not be read back as " + type.getTypeName() + ": " + reason(e), e);
    }
    if (!same) {
      throw unwritable(
          value,
          "read back as "
              + type.getTypeName()
              + " it is not what it was. Declare the type it has, and let its class be a record"
              + " whose constructor and accessors change nothing, or have a constructor or setters"
              + " for all of its fields",
          null);
    }
  }

  @Override
  public @Nullable Object decode(String text, Type type) {
    Known known = known(type);
    try {
      return known.reader().readValue(text);
    } catch (RuntimeException | StackOverflowError e) {
      throw new InvalidValueException(
          "Stored JSON does not fit the type " + type.getTypeName() + ": " + reason(e), e);
    }
  }

  @Override
  public String fingerprint(@Nullable Object value, Type type) {
    known(type);
    try {
      JsonMapper ordered = ordering();
      String text = Writing.of(ordered.constructType(type), ordered).text(value);
      return CanonicalJson.text(text);
    } catch (RuntimeException | StackOverflowError e) {
      throw unwritable(value, reason(e), e);
    }
  }

  private JsonMapper ordering() {
    JsonMapper made = ordering;
    if (made == null) {
      made = CanonicalJson.ordering(mapper);
      ordering = made;
    }
    return made;
  }

  @Override
  public List<String> problems(Type type) {
    return types.computeIfAbsent(type, this::look).found().problems();
  }

  private Known known(Type type) {
    Known known = types.get(type);
    if (known == null) {
      known = types.computeIfAbsent(type, this::look);
    }
    if (!known.found().problems().isEmpty()) {
      throw new InvalidValueException(
          "Values of type %s cannot be stored: %s"
              .formatted(type.getTypeName(), String.join("; ", known.found().problems())),
          null);
    }
    return known;
  }

  private Known look(Type type) {
    JavaType resolved = mapper.constructType(type);
    return new Known(
        TypeAnalysis.of(resolved, mapper, trusted),
        Writing.of(resolved, mapper),
        mapper.readerFor(resolved));
  }

  private static InvalidValueException unwritable(
      @Nullable Object value, String reason, @Nullable Throwable cause) {
    String type = value == null ? "null" : value.getClass().getName();
    return new InvalidValueException(
        "A value of type " + type + " cannot be written as JSON: " + reason, cause);
  }

  static String reason(Throwable error) {
    if (error instanceof StackOverflowError) {
      return "it is nested too deeply";
    }
    return error instanceof JacksonException jackson
        ? jackson.getOriginalMessage()
        : String.valueOf(error.getMessage());
  }
}
