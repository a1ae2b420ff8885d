package dev.standpipe.internal;

import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** A run's labels as the database keeps them: a JSON object with sorted names. */
public final class Labels {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  private Labels() {}

  /** Writes labels. */
  public static String write(Map<String, String> labels) {
    return labels.isEmpty() ? "{}" : MAPPER.writeValueAsString(new TreeMap<>(labels));
  }

  public static Map<String, String> parse(String json) {
    return Map.copyOf(MAPPER.readValue(json, new TypeReference<Map<String, String>>() {}));
  }
}
