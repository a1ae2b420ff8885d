package dev.standpipe.internal.codec;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks into the compiled code of a record: whether its constructor and its accessors are those
 * that the compiler makes, which only carry values. One that somebody has written may change what
 * it is given, and reflection does not tell the two apart.
 *
 * <p>A class file that cannot be found or understood is taken for one with code of its own.
 */
final class RecordCode {
  private static final int MAGIC_AND_VERSION = 8;
  private static final int ALOAD_0 = 0x2a;
  private static final int GETFIELD = 0xb4;
  private static final int PUTFIELD = 0xb5;
  private static final int INVOKESPECIAL = 0xb7;
  private static final int RETURN = 0xb1;
  private static final int FIRST_RETURN_OF_A_VALUE = 0xac;
  private static final int LAST_RETURN_OF_A_VALUE = 0xb0;
  private static final int FIRST_LOAD = 0x15;
  private static final int LAST_LOAD = 0x19;
  private static final int FIRST_SHORT_LOAD = 0x1a;
  private static final int LAST_SHORT_LOAD = 0x2d;
  private static final int SHORT_LOADS_OF_A_TYPE = 4;

  private final Map<Integer, String> texts = new HashMap<>();
  private final Map<Integer, Integer> pairs = new HashMap<>();
  private final Map<String, byte[]> methods = new HashMap<>();

  private RecordCode() {}

  /** Whether a record does nothing but carry the values of its components. */
  static boolean isPlain(Class<?> record) {
    RecordComponent[] components = record.getRecordComponents();
    RecordCode code = new RecordCode();
    return code.read(record)
        && code.constructs(components)
        && Stream.of(components).allMatch(code::gives);
  }

  private boolean read(Class<?> record) {
    String file = record.getName().substring(record.getName().lastIndexOf('.') + 1) + ".class";
    try (InputStream stream = record.getResourceAsStream(file)) {
      if (stream == null) {
        return false;
      }
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(stream.readAllBytes()));
      in.skipNBytes(MAGIC_AND_VERSION);
      readConstants(in);
      in.skipNBytes(6); // flags, this class, its parent
      in.skipNBytes(2L * in.readUnsignedShort()); // interfaces
      readMembers(in); // fields
      methods.clear();
      readMembers(in);
      return true;
    } catch (IOException | IllegalArgumentException e) {
      return false;
    }
  }

  private void readConstants(DataInputStream in) throws IOException {
    int count = in.readUnsignedShort();
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> texts.put(i, in.readUTF());
        case 9, 10, 11, 12 -> pairs.put(i, in.readInt());
        case 3, 4, 17, 18 -> in.skipNBytes(4);
        case 5, 6 -> {
          in.skipNBytes(8);
          i++; // takes two places
        }
        case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
        case 15 -> in.skipNBytes(3);
        default -> throw new IllegalArgumentException("a constant of kind " + tag);
      }
    }
  }

  private void readMembers(DataInputStream in) throws IOException {
    int count = in.readUnsignedShort();
    for (int i = 0; i < count; i++) {
      in.skipNBytes(2);
      String name = texts.get(in.readUnsignedShort());
      String descriptor = texts.get(in.readUnsignedShort());
      int attributes = in.readUnsignedShort();
      for (int j = 0; j < attributes; j++) {
        String attribute = texts.get(in.readUnsignedShort());
        byte[] content = in.readNBytes(in.readInt());
        if ("Code".equals(attribute)) {
          ByteBuffer code = ByteBuffer.wrap(content);
          byte[] body = new byte[code.getInt(4)];
          code.get(8, body);
          methods.put(name + descriptor, body);
        }
      }
    }
  }

  /** Sets each field to the argument in its place. */
  private boolean constructs(RecordComponent[] components) {
    Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    String descriptor = MethodType.methodType(void.class, types).toMethodDescriptorString();
    Instructions code = instructions("<init>" + descriptor);
    if (!code.next(ALOAD_0) || !code.next(INVOKESPECIAL) || code.number(2) < 0) {
      return false;
    }
    int slot = 1;
    for (RecordComponent component : components) {
      if (!code.next(ALOAD_0)
          || code.loaded() != slot
          || !code.next(PUTFIELD)
          || !component.getName().equals(field(code.number(2)))) {
        return false;
      }
      slot += component.getType() == long.class || component.getType() == double.class ? 2 : 1;
    }
    return code.next(RETURN) && code.isAtEnd();
  }

  /** Returns the field of its name. */
  private boolean gives(RecordComponent component) {
    String descriptor = MethodType.methodType(component.getType()).toMethodDescriptorString();
    Instructions code = instructions(component.getName() + descriptor);
    if (!code.next(ALOAD_0)
        || !code.next(GETFIELD)
        || !component.getName().equals(field(code.number(2)))) {
      return false;
    }
    int last = code.number(1);
    return last >= FIRST_RETURN_OF_A_VALUE && last <= LAST_RETURN_OF_A_VALUE && code.isAtEnd();
  }

  private Instructions instructions(String method) {
    return new Instructions(ByteBuffer.wrap(methods.getOrDefault(method, new byte[0])));
  }

  /** The name of a field that an instruction names: its constant leads to a name and a type. */
  private @Nullable String field(int constant) {
    int nameAndType = pairs.getOrDefault(constant, 0) & 0xffff;
    return texts.get(pairs.getOrDefault(nameAndType, 0) >>> 16);
  }

  /** Code, read from front to end; what is past its end is -1. */
  private record Instructions(ByteBuffer code) {
    boolean next(int instruction) {
      return number(1) == instruction;
    }

    int number(int bytes) {
      if (code.remaining() < bytes) {
        return -1;
      }
      return bytes == 1 ? code.get() & 0xff : code.getShort() & 0xffff;
    }

    /** The variable that is loaded here; -1 if none is. */
    int loaded() {
      int load = number(1);
      if (load >= FIRST_LOAD && load <= LAST_LOAD) {
        return number(1);
      }
      return load >= FIRST_SHORT_LOAD && load <= LAST_SHORT_LOAD
          ? (load - FIRST_SHORT_LOAD) % SHORT_LOADS_OF_A_TYPE
          : -1;
    }

    boolean isAtEnd() {
      return !code.hasRemaining();
    }
  }
}
