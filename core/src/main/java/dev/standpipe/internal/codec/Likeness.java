package dev.standpipe.internal.codec;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a value that was read back is what was written. Equal values are; so are containers of
 * such values, and objects all of whose fields are such values, for not every class has an {@code
 * equals} (and that of an array is of no use). Whole numbers are compared by their value: where a
 * type says {@code Object}, a {@code long} comes back as an {@code int}.
 */
final class Likeness {
  private final Set<Object> compared = Collections.newSetFromMap(new IdentityHashMap<>());
  private final BooleanSupplier sameText;

  private Likeness(BooleanSupplier sameText) {
    this.sameText = sameText;
  }

  /**
   * Compares the two.
   *
   * @param sameText whether what was read is written as it was, which has to do where fields cannot
   *     be looked at: a module opens its classes to Jackson, and need not to us
   */
  static boolean of(@Nullable Object written, @Nullable Object read, BooleanSupplier sameText) {
    return new Likeness(sameText).alike(written, read);
  }

  private boolean alike(@Nullable Object one, @Nullable Object other) {
    if (one == other) {
      return true;
    }
    if (one == null || other == null) {
      return false;
    }
    if (isWhole(one) && isWhole(other)) {
      return new BigInteger(one.toString()).equals(new BigInteger(other.toString()));
    }
    if (one.getClass().isArray() && other.getClass().isArray()) {
      return arraysAlike(one, other);
    }
    if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> same) {
      return orderedAlike(one, other) && mapsAlike(map, same);
    }
    if (one instanceof Collection<?> all && other instanceof Collection<?> same) {
      return orderedAlike(one, other) && (one.equals(other) || elementsAlike(all, same));
    }
    if (one instanceof Optional<?> maybe && other instanceof Optional<?> same) {
      return alike(maybe.orElse(null), same.orElse(null));
    }
    if (one.getClass() != other.getClass()) {
      return false;
    }
    if (ValueTypes.isPlain(one.getClass())) {
      return one.toString().equals(other.toString());
    }
    return one.equals(other) || fieldsAlike(one, other);
  }

  private static boolean isWhole(Object value) {
    return value instanceof Integer
        || value instanceof Long
        || value instanceof Short
        || value instanceof Byte
        || value instanceof BigInteger;
  }

  private boolean arraysAlike(Object one, Object other) {
    int length = Array.getLength(one);
    if (one.getClass() != other.getClass() || length != Array.getLength(other)) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (!alike(Array.get(one, i), Array.get(other, i))) {
        return false;
      }
    }
    return true;
  }

  /** No comparator is written: what was in another order than its elements' own is so no more. */
  private static boolean orderedAlike(Object one, Object other) {
    if (one instanceof PriorityQueue && !(other instanceof PriorityQueue)) {
      return false;
    }
    boolean ordered =
        other instanceof SortedMap || other instanceof SortedSet || other instanceof PriorityQueue;
    return !ordered || Objects.equals(comparator(one), comparator(other));
  }

  private static @Nullable Object comparator(Object ordered) {
    if (ordered instanceof SortedMap<?, ?> map) {
      return map.comparator();
    }
    if (ordered instanceof SortedSet<?> set) {
      return set.comparator();
    }
    return ordered instanceof PriorityQueue<?> queue ? queue.comparator() : null;
  }

  private boolean mapsAlike(Map<?, ?> one, Map<?, ?> other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (Map.Entry<?, ?> entry : one.entrySet()) {
      if (!other.containsKey(entry.getKey())
          || !alike(entry.getValue(), other.get(entry.getKey()))) {
        return false;
      }
    }
    return true;
  }

  /** Both are iterated alike but for sets, whose elements may come in another order. */
  private boolean elementsAlike(Collection<?> one, Collection<?> other) {
    if (one.size() != other.size()) {
      return false;
    }
    if (one instanceof Set && other instanceof Set) {
      return one.stream().allMatch(a -> other.stream().anyMatch(b -> alike(a, b)));
    }
    Iterator<?> same = other.iterator();
    for (Object element : one) {
      if (!alike(element, same.next())) {
        return false;
      }
    }
    return true;
  }

  private boolean fieldsAlike(Object one, Object other) {
    if (!compared.add(one)) {
      return true; // it is being compared
    }
    for (Class<?> type = one.getClass(); !hasNoFields(type); type = type.getSuperclass()) {
      if (type == null || SealedTypes.isOfTheJdk(type)) {
        return false;
      }
      for (Field field : type.getDeclaredFields()) {
        boolean counts =
            !Modifier.isStatic(field.getModifiers())
                && !Modifier.isTransient(field.getModifiers())
                && !field.isSynthetic();
        if (counts && !fieldAlike(field, one, other)) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean hasNoFields(@Nullable Class<?> type) {
    return type == Object.class || type == Record.class;
  }

  private boolean fieldAlike(Field field, Object one, Object other) {
    try {
      return field.trySetAccessible()
          ? alike(field.get(one), field.get(other))
          : sameText.getAsBoolean();
    } catch (IllegalAccessException e) {
      return false;
    }
  }
}
