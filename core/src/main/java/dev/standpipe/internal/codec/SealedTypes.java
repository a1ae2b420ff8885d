package dev.standpipe.internal.codec;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Sealed types, all of whose classes are known: each is named by its simple name, or what a {@link
 * JsonTypeName} says. Only these names are stored, and only these classes are ever made of them.
 */
final class SealedTypes {
  private SealedTypes() {}

  /** Whether a class is sealed, or one of those that a sealed type permits. */
  static boolean isMember(Class<?> type) {
    return !isOfTheJdk(type) && (isSealed(type) || !sealedAncestors(type).isEmpty());
  }

  /** The sealed types above a class, the nearest first. */
  static Set<Class<?>> sealedAncestors(Class<?> type) {
    Set<Class<?>> found = new LinkedHashSet<>();
    addAncestors(type, found);
    return found;
  }

  private static void addAncestors(Class<?> type, Set<Class<?>> found) {
    List<Class<?>> parents = new ArrayList<>(List.of(type.getInterfaces()));
    if (type.getSuperclass() != null) {
      parents.add(0, type.getSuperclass());
    }
    parents.stream().filter(SealedTypes::isSealed).forEach(found::add);
    parents.forEach(parent -> addAncestors(parent, found));
  }

  /** Strings, numbers and enums implement sealed types, too, which are not meant. */
  private static boolean isSealed(Class<?> type) {
    return type.isSealed() && !type.isEnum() && !isOfTheJdk(type);
  }

  /** The classes that values of a type may have: itself, and what it permits, all the way down. */
  static List<Class<?>> leaves(Class<?> type) {
    Set<Class<?>> found = new LinkedHashSet<>();
    addLeaves(type, found);
    return List.copyOf(found);
  }

  private static void addLeaves(Class<?> type, Set<Class<?>> found) {
    if (!Modifier.isAbstract(type.getModifiers()) || type.isEnum()) {
      found.add(type);
    }
    if (isSealed(type)) {
      for (Class<?> permitted : type.getPermittedSubclasses()) {
        addLeaves(permitted, found);
      }
    }
  }

  /** The name of a class. */
  static String name(Class<?> leaf) {
    @Nullable JsonTypeName said = leaf.getAnnotation(JsonTypeName.class);
    return said == null || said.value().isEmpty() ? leaf.getSimpleName() : said.value();
  }

  /** Names that several classes below a type share. */
  static Set<String> clashes(Class<?> type) {
    Set<String> seen = new LinkedHashSet<>();
    Set<String> twice = new TreeSet<>();
    for (Class<?> leaf : leaves(type)) {
      if (!seen.add(name(leaf))) {
        twice.add(name(leaf));
      }
    }
    return twice;
  }

  /** Whether a class comes with Java itself. */
  static boolean isOfTheJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == ClassLoader.getPlatformClassLoader();
  }
}
