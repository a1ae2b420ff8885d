package dev.standpipe.internal.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.jsontype.TypeIdResolver;

/** Names the classes of one sealed type, and finds them by their names, and nothing else. */
final class SealedNames implements TypeIdResolver {
  private final Map<String, Class<?>> classes = new HashMap<>();
  private @Nullable JavaType base;

  @Override
  public void init(JavaType type) {
    this.base = type;
    SealedTypes.leaves(type.getRawClass())
        .forEach(leaf -> classes.put(SealedTypes.name(leaf), leaf));
  }

  @Override
  public String idFromValue(DatabindContext context, Object value) {
    return idFromValueAndType(context, value, value.getClass());
  }

  /** A constant of an enum may have a class of its own. */
  @Override
  public String idFromValueAndType(
      DatabindContext context, @Nullable Object value, Class<?> suggested) {
    Class<?> type = value instanceof Enum<?> constant ? constant.getDeclaringClass() : suggested;
    String name = SealedTypes.name(type);
    if (classes.get(name) != type) {
      throw new IllegalArgumentException(
          type.getName() + " is not a class that " + base + " permits: make it one");
    }
    return name;
  }

  @Override
  public String idFromBaseType(DatabindContext context) {
    return base == null ? "" : SealedTypes.name(base.getRawClass());
  }

  @Override
  public @Nullable JavaType typeFromId(DatabindContext context, String id) {
    Class<?> type = classes.get(id);
    return type == null || base == null ? null : context.constructSpecializedType(base, type);
  }

  @Override
  public String getDescForKnownTypeIds() {
    return new TreeSet<>(classes.keySet()).toString();
  }

  @Override
  public JsonTypeInfo.Id getMechanism() {
    return JsonTypeInfo.Id.CUSTOM;
  }
}
