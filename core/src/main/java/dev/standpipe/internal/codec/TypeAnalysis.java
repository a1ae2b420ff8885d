package dev.standpipe.internal.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.TreeNode;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.json.JsonMapper;

/**
 * Looks through a type, once, for what would keep its values from coming back as they were.
 *
 * <p>There are three answers. Some types never do: they are problems. Records of plain values,
 * their containers and sealed types of such records always do: they are proven, and writing them
 * costs nothing more. Of the rest nobody can tell but by trying, for each value.
 */
final class TypeAnalysis {
  private final JsonMapper mapper;
  private final boolean trusted;
  private final Set<JavaType> seen = new HashSet<>();
  private final List<String> problems = new ArrayList<>();
  private boolean proven;
  private boolean unbounded;

  private TypeAnalysis(JsonMapper mapper, boolean trusted) {
    this.mapper = mapper;
    this.trusted = trusted;
    this.proven = trusted;
  }

  /**
   * What was found.
   *
   * @param problems why its values never come back
   * @param proven whether they always do
   * @param unbounded whether there are numbers among them that can be too large to be read
   */
  record TypeReport(List<String> problems, boolean proven, boolean unbounded) {}

  /**
   * Looks through a type.
   *
   * @param trusted whether nothing but annotations tells the mapper how to treat a type
   */
  static TypeReport of(JavaType type, JsonMapper mapper, boolean trusted) {
    TypeAnalysis analysis = new TypeAnalysis(mapper, trusted);
    analysis.visit(type);
    return new TypeReport(List.copyOf(analysis.problems), analysis.proven, analysis.unbounded);
  }

  private void visit(JavaType type) {
    Class<?> raw = type.getRawClass();
    unbounded |= ValueTypes.isUnbounded(raw);
    if (ValueTypes.isPlain(raw) || !seen.add(type)) {
      return;
    }
    if (raw == Class.class) {
      add("a java.lang.Class would store the name of a class: store a name of your own");
    } else if (raw == Optional.class) {
      visitOptional(type.getReferencedType());
    } else if (type.isContainerType()) {
      visitContainer(type);
    } else if (raw.isEnum()) {
      proven &= !isAnnotated(raw);
    } else if (isOpen(raw)) {
      proven = false;
    } else if (SealedTypes.isOfTheJdk(raw)) {
      visitJdk(raw);
    } else {
      visitOwn(type);
    }
  }

  /** A missing Optional and an empty one are the same text. */
  private void visitOptional(JavaType content) {
    proven = false;
    if (Optional.class == content.getRawClass()) {
      add("an Optional in an Optional cannot tell which of them is empty: use one");
    }
    visit(content);
  }

  private void visitContainer(JavaType type) {
    proven &= ValueTypes.isContainer(type.getRawClass());
    if (type.isMapLikeType()) {
      visitKey(type.getKeyType());
    }
    visit(type.getContentType());
  }

  private void visitKey(JavaType key) {
    Class<?> raw = key.getRawClass();
    if (ValueTypes.isKey(raw)) {
      proven &= !raw.isEnum() || !isAnnotated(raw);
      return;
    }
    proven = false;
    BeanDescription described = mapper._serializationContext().introspectBeanDescription(key);
    boolean says =
        described.findJsonKeyAccessor() != null || described.findJsonValueAccessor() != null;
    if (trusted && !says && !isOpen(raw) && !SealedTypes.isOfTheJdk(raw)) {
      add(
          "keys of maps are text, and %s is not made of text: use a String or an enum, or a list of entries"
              .formatted(raw.getName()));
    }
  }

  /** One of which values are of any class: only the value tells. */
  private static boolean isOpen(Class<?> raw) {
    return raw == Object.class || raw == Number.class || TreeNode.class.isAssignableFrom(raw);
  }

  private void visitJdk(Class<?> raw) {
    proven = false;
    if (trusted && !hasEquals(raw)) {
      add(raw.getName() + " is not a value that can be stored: store what it is made of");
    }
  }

  private static boolean hasEquals(Class<?> raw) {
    try {
      return raw.getMethod("equals", Object.class).getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      return false; // an interface
    }
  }

  private void visitOwn(JavaType type) {
    Class<?> raw = type.getRawClass();
    AnnotatedClass annotations = mapper._serializationContext().introspectClassAnnotations(type);
    JsonTypeInfo info = annotations.getAnnotation(JsonTypeInfo.class);
    if (info != null && isByClass(info)) {
      add(
          "%s stores names of classes: use JsonTypeInfo.Id.NAME, or make it sealed without annotations"
              .formatted(raw.getName()));
    } else if (SealedIntrospector.isOurs(annotations) && Modifier.isAbstract(raw.getModifiers())) {
      visitSealed(type);
    } else if (isAnnotated(raw)) {
      proven = false;
    } else if (raw.isRecord()) {
      visitRecord(type);
    } else if (Modifier.isAbstract(raw.getModifiers())) {
      visitAbstract(raw);
    } else {
      visitBean(type);
    }
  }

  private static boolean isByClass(JsonTypeInfo info) {
    return info.use() == JsonTypeInfo.Id.CLASS || info.use() == JsonTypeInfo.Id.MINIMAL_CLASS;
  }

  private void visitSealed(JavaType type) {
    Class<?> raw = type.getRawClass();
    for (String name : SealedTypes.clashes(raw)) {
      add(
          "several classes of %s are called %s: give each a @JsonTypeName of its own"
              .formatted(raw.getName(), name));
    }
    for (Class<?> leaf : SealedTypes.leaves(raw)) {
      if (leaf.isEnum()) {
        visit(mapper.constructType(leaf));
      } else {
        visit(mapper._serializationContext().constructSpecializedType(type, leaf));
      }
    }
  }

  private void visitRecord(JavaType type) {
    Class<?> raw = type.getRawClass();
    proven = proven && RecordCode.isPlain(raw) && !hasGettersOfComponents(raw);
    int before = problems.size();
    for (RecordComponent component : raw.getRecordComponents()) {
      Type declared = component.getGenericType();
      visit(mapper.getTypeFactory().resolveMemberType(declared, type.getBindings()));
    }
    if (problems.size() == before) {
      requireReader(type); // what is inside says better what is wrong with it
    }
  }

  /** A getter of a component's name is asked in the place of the accessor. */
  private static boolean hasGettersOfComponents(Class<?> raw) {
    Set<String> getters = new HashSet<>();
    for (RecordComponent component : raw.getRecordComponents()) {
      String name = component.getName().toLowerCase(Locale.ROOT);
      getters.add("get" + name);
      getters.add("is" + name);
    }
    return Stream.of(raw.getMethods())
        .filter(method -> method.getParameterCount() == 0)
        .filter(method -> getters.contains(method.getName().toLowerCase(Locale.ROOT)))
        .anyMatch(method -> !isAccessor(method.getName(), raw));
  }

  private static boolean isAccessor(String name, Class<?> raw) {
    return Stream.of(raw.getRecordComponents()).anyMatch(one -> one.getName().equals(name));
  }

  /** What Jackson cannot read, whatever the text, it may write all the same. */
  private void requireReader(JavaType type) {
    try {
      mapper.readerFor(type).readValue("null");
    } catch (RuntimeException e) {
      add("%s cannot be read: %s".formatted(type.getRawClass().getName(), JacksonCodec.reason(e)));
    }
  }

  private void visitAbstract(Class<?> raw) {
    proven = false;
    if (trusted) {
      add(
          "%s is abstract, and nothing says which class a value has: make it sealed, or annotate it with @JsonTypeInfo and @JsonSubTypes"
              .formatted(raw.getName()));
    }
  }

  private void visitBean(JavaType type) {
    proven = false;
    BeanDescription described = mapper._serializationContext().introspectBeanDescription(type);
    if (trusted
        && described.findProperties().isEmpty()
        && described.findAnyGetter() == null
        && described.findJsonValueAccessor() == null) {
      add(
          "%s has no properties that could be stored: make it a record, or give it getters"
              .formatted(type.getRawClass().getName()));
    }
  }

  /** Whether annotations of Jackson are anywhere on a class, or above. */
  private static boolean isAnnotated(@Nullable Class<?> raw) {
    if (raw == null || SealedTypes.isOfTheJdk(raw)) {
      return false;
    }
    Stream<AnnotatedElement> members =
        Stream.of(
                Stream.of(raw),
                Stream.of(raw.getDeclaredFields()),
                Stream.of(raw.getDeclaredMethods()),
                Stream.of(raw.getDeclaredConstructors()),
                Stream.of(raw.getDeclaredConstructors()).flatMap(c -> Stream.of(c.getParameters())))
            .flatMap(all -> all);
    return members
            .flatMap(member -> Stream.of(member.getAnnotations()))
            .anyMatch(TypeAnalysis::isJacksons)
        || isAnnotated(raw.getSuperclass())
        || Stream.of(raw.getInterfaces()).anyMatch(TypeAnalysis::isAnnotated);
  }

  private static boolean isJacksons(java.lang.annotation.Annotation annotation) {
    String from = annotation.annotationType().getPackageName();
    return from.startsWith("com.fasterxml.jackson.") || from.startsWith("tools.jackson.");
  }

  private void add(String problem) {
    problems.add(problem);
  }
}
