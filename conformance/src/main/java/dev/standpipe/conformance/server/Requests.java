package dev.standpipe.conformance.server;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Understands as much of what a client sends to PostgreSQL as it takes to know which statements it
 * runs. A prepared statement is sent once and then goes by its name. Not thread-safe.
 */
final class Requests {
  private static final int HEADER = 5;
  private static final int STARTUP_HEADER = 4;

  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
  private final Map<String, String> prepared = new HashMap<>();
  private final Set<String> all = new LinkedHashSet<>();
  private boolean started;

  /** The statements that these bytes ask the server to run, in lower case. */
  Set<String> statements(byte[] bytes, int length) {
    pending.write(bytes, 0, length);
    ByteBuffer buffer = ByteBuffer.wrap(pending.toByteArray());
    Set<String> run = new LinkedHashSet<>();
    while (takeMessage(buffer, run)) {
      started = true;
    }
    pending.reset();
    pending.write(buffer.array(), buffer.position(), buffer.remaining());
    all.addAll(run);
    return run;
  }

  /** Whether a statement with this in it was ever run. */
  boolean haveHad(String part) {
    return all.stream().anyMatch(statement -> statement.contains(part));
  }

  private boolean takeMessage(ByteBuffer buffer, Set<String> run) {
    int header = started ? HEADER : STARTUP_HEADER;
    if (buffer.remaining() < header) {
      return false;
    }
    int typeAt = buffer.position();
    int length = buffer.getInt(typeAt + header - STARTUP_HEADER);
    int size = length + header - STARTUP_HEADER;
    if (buffer.remaining() < size) {
      return false;
    }
    if (started) {
      ByteBuffer body = buffer.slice(typeAt + HEADER, size - HEADER);
      note((char) buffer.get(typeAt), body, run);
    }
    buffer.position(typeAt + size);
    return true;
  }

  private void note(char type, ByteBuffer body, Set<String> run) {
    switch (type) {
      case 'Q' -> run.add(text(body).toLowerCase(Locale.ROOT));
      case 'P' -> prepared.put(text(body), text(body).toLowerCase(Locale.ROOT));
      case 'B' -> {
        String portal = text(body);
        String name = text(body);
        run.add(prepared.getOrDefault(name, portal));
      }
      default -> {} // nothing that names a statement
    }
  }

  private static String text(ByteBuffer body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte b = body.get(); b != 0; b = body.get()) {
      bytes.write(b);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
