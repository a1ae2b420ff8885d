package dev.standpipe.internal.codec;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.type.CollectionType;
import tools.jackson.databind.util.TokenBuffer;

/**
 * JSON that is the same text for equal values, whichever JVM writes it: the fields of an object are
 * in order, and so are the elements of a set, which every JVM iterates as it likes.
 */
final class CanonicalJson {
  /** Numbers keep all their digits. */
  private static final JsonMapper TREES =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private CanonicalJson() {}

  /** A mapper like this one that writes the elements of sets in order. */
  static JsonMapper ordering(JsonMapper mapper) {
    SimpleModule module = new SimpleModule("standpipe-canonical");
    module.setSerializerModifier(new SetModifier());
    return mapper.<JsonMapper, JsonMapper.Builder>rebuild().addModule(module).build();
  }

  /** JSON with all fields in order. */
  static String text(String json) {
    return inOrder(TREES.readTree(json)).toString();
  }

  private static JsonNode inOrder(JsonNode node) {
    if (node.isObject()) {
      Map<String, JsonNode> fields = new TreeMap<>();
      node.properties().forEach(field -> fields.put(field.getKey(), inOrder(field.getValue())));
      return JsonNodeFactory.instance.objectNode().setAll(fields);
    }
    if (node.isArray()) {
      List<JsonNode> elements = new ArrayList<>();
      node.forEach(element -> elements.add(inOrder(element)));
      return JsonNodeFactory.instance.arrayNode().addAll(elements);
    }
    return node;
  }

  private static final class SetModifier extends ValueSerializerModifier {
    private static final long serialVersionUID = 1L;

    @Override
    public ValueSerializer<?> modifyCollectionSerializer(
        SerializationConfig config,
        CollectionType type,
        BeanDescription.Supplier described,
        ValueSerializer<?> serializer) {
      return Set.class.isAssignableFrom(type.getRawClass())
          ? new OrderedSet(serializer)
          : serializer;
    }
  }

  /** Has a set written by another, and puts what it has written into order. */
  private static final class OrderedSet extends ValueSerializer<Object> {
    private final ValueSerializer<Object> inner;

    @SuppressWarnings("unchecked")
    OrderedSet(ValueSerializer<?> inner) {
      this.inner = (ValueSerializer<Object>) inner;
    }

    @Override
    public void resolve(SerializationContext context) {
      inner.resolve(context);
    }

    @Override
    public ValueSerializer<?> createContextual(
        SerializationContext context, BeanProperty property) {
      return new OrderedSet(inner.createContextual(context, property));
    }

    @Override
    public void serialize(Object set, JsonGenerator json, SerializationContext context) {
      TokenBuffer buffer = context.bufferForValueConversion();
      inner.serialize(set, buffer, context);
      List<JsonNode> elements = new ArrayList<>();
      JsonNode written = TREES.readTree(buffer.asParser());
      written.forEach(element -> elements.add(inOrder(element)));
      elements.sort(Comparator.comparing(JsonNode::toString));
      json.writeStartArray();
      elements.forEach(json::writeTree);
      json.writeEndArray();
    }

    @Override
    public void serializeWithType(
        Object set, JsonGenerator json, SerializationContext context, TypeSerializer typed) {
      serialize(set, json, context);
    }
  }
}
