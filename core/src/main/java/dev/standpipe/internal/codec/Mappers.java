package dev.standpipe.internal.codec;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.BufferRecycler;
import tools.jackson.core.util.JsonRecyclerPools;
import tools.jackson.core.util.RecyclerPool;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.introspect.AnnotationIntrospectorPair;
import tools.jackson.databind.json.JsonMapper;

/**
 * Mappers with the settings that values need to come back as they were: times keep their offset and
 * their zone, enums are written by their names (what they are called for people need not be
 * unique), a fraction is never read as an integer, and an object without properties is refused.
 */
final class Mappers {
  /**
   * Buffers of each thread's own cost least, but virtual threads, which run steps from Java 21 on,
   * are too many to have them.
   */
  private static final RecyclerPool<BufferRecycler> BUFFERS =
      Runtime.version().feature() < 21
          ? JsonRecyclerPools.threadLocalPool()
          : JsonRecyclerPools.defaultPool();

  /** How long a text may be is said once, for the whole value. */
  private static final StreamReadConstraints AS_LONG_AS_WRITTEN =
      StreamReadConstraints.builder()
          .maxStringLength(Integer.MAX_VALUE)
          .maxNameLength(Integer.MAX_VALUE)
          .build();

  private Mappers() {}

  static JsonMapper own() {
    return faithful(
        JsonMapper.builder(
            JsonFactory.builder()
                .recyclerPool(BUFFERS)
                .streamReadConstraints(AS_LONG_AS_WRITTEN)
                .build()));
  }

  /** A copy of a mapper, with its modules. */
  static JsonMapper like(JsonMapper mapper) {
    return faithful(mapper.<JsonMapper, JsonMapper.Builder>rebuild());
  }

  private static JsonMapper faithful(JsonMapper.Builder builder) {
    AnnotationIntrospector present = builder.annotationIntrospector();
    return builder
        .annotationIntrospector(
            AnnotationIntrospectorPair.create(present, new SealedIntrospector()))
        .enable(
            SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS,
            SerializationFeature.FAIL_ON_EMPTY_BEANS)
        .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
        .disable(
            DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE,
            DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID,
            DateTimeFeature.WRITE_DATES_WITH_CONTEXT_TIME_ZONE)
        .disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING, EnumFeature.READ_ENUMS_USING_TO_STRING)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .build();
  }
}
