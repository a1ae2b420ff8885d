package dev.standpipe.internal.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;

/**
 * Has values of sealed types written with the name of their class, unless annotations say how they
 * are written. A member has its name even where it is declared itself, so that it can be read as
 * any of its sealed types.
 */
final class SealedIntrospector extends NopAnnotationIntrospector {
  private static final long serialVersionUID = 1L;

  private static final JsonTypeInfo.Value NAMED =
      JsonTypeInfo.Value.construct(
          JsonTypeInfo.Id.CUSTOM, JsonTypeInfo.As.PROPERTY, "@type", null, false, true, true);

  @Override
  public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(
      MapperConfig<?> config, Annotated annotated) {
    return isOurs(annotated) ? NAMED : null;
  }

  @Override
  public @Nullable Object findTypeIdResolver(MapperConfig<?> config, Annotated annotated) {
    return isOurs(annotated) ? SealedNames.class : null;
  }

  static boolean isOurs(Annotated annotated) {
    return annotated instanceof AnnotatedClass type
        && SealedTypes.isMember(type.getRawType())
        && !type.hasAnnotation(JsonTypeInfo.class)
        && !type.hasAnnotation(JsonSerialize.class)
        && !type.hasAnnotation(JsonDeserialize.class);
  }
}
