package dev.standpipe.internal.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The type of a value of which nobody has declared one: what is put into the context, and what is
 * given to a pipeline whose code is elsewhere. A list of circles is a list of circles; one of
 * circles and squares is a list of the sealed type of both.
 */
public final class InferredType {
  private InferredType() {}

  /** The narrowest type that can be told from a value. */
  public static Type of(@Nullable Object value) {
    if (value == null) {
      return Object.class;
    }
    if (value instanceof Map<?, ?> map) {
      return new Generic(Map.class, List.of(common(map.keySet()), common(map.values())));
    }
    if (value instanceof Collection<?> all) {
      Class<?> kind =
          all instanceof List ? List.class : all instanceof Set ? Set.class : Collection.class;
      return new Generic(kind, List.of(common(all)));
    }
    if (value instanceof Optional<?> maybe) {
      return new Generic(Optional.class, List.of(of(maybe.orElse(null))));
    }
    return value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
  }

  private static Type common(Collection<?> values) {
    Set<Type> types = new LinkedHashSet<>();
    for (Object value : values) {
      if (value != null) {
        types.add(of(value));
      }
    }
    return types.size() == 1 ? types.iterator().next() : commonAncestor(types);
  }

  private static Type commonAncestor(Set<Type> types) {
    List<Class<?>> classes = new ArrayList<>();
    for (Type type : types) {
      if (!(type instanceof Class<?> one)) {
        return Object.class;
      }
      classes.add(one);
    }
    return classes.stream()
        .limit(1)
        .flatMap(one -> ancestors(one, new LinkedHashSet<>()).stream())
        .filter(InferredType::isPolymorphic)
        .filter(above -> classes.stream().allMatch(above::isAssignableFrom))
        .findFirst()
        .<Type>map(above -> above)
        .orElse(Object.class);
  }

  private static boolean isPolymorphic(Class<?> type) {
    return type.isAnnotationPresent(JsonTypeInfo.class)
        || (type.isSealed() && SealedTypes.isMember(type));
  }

  private static Set<Class<?>> ancestors(Class<?> type, Set<Class<?>> found) {
    found.add(type);
    if (type.getSuperclass() != null) {
      ancestors(type.getSuperclass(), found);
    }
    for (Class<?> parent : type.getInterfaces()) {
      ancestors(parent, found);
    }
    return found;
  }

  /** A container with the types of what it holds. */
  private record Generic(Class<?> raw, List<Type> of) implements ParameterizedType {
    @Override
    public Type[] getActualTypeArguments() {
      return of.toArray(Type[]::new);
    }

    @Override
    public Type getRawType() {
      return raw;
    }

    @Override
    public @Nullable Type getOwnerType() {
      return null;
    }
  }
}
