package dev.standpipe.internal.engine.execute;

import dev.standpipe.RunContext;
import dev.standpipe.TypeToken;
import dev.standpipe.error.ContextKeyTakenException;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.internal.codec.InferredType;
import dev.standpipe.internal.port.Settlement.ContextEntry;
import dev.standpipe.internal.port.Settlement.StepEffect;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run's context as one body sees it: the committed values, and over them the values that the body
 * has set.
 */
final class SharedContext implements RunContext {
  private static final int LONGEST_KEY = 255;

  private final UUID run;
  private final PayloadCodec codec;
  private final Store store;
  private @Nullable Map<String, ContextEntry> own; // most bodies set nothing
  private volatile boolean unreachable;

  SharedContext(UUID run, PayloadCodec codec, Store store) {
    this.run = run;
    this.codec = codec;
    this.store = store;
  }

  /** Forgets what the body has set: it runs again. */
  void forget() {
    own = null;
  }

  @Override
  public <T> Optional<T> get(String key, Class<T> type) {
    return get(key, TypeToken.of(type));
  }

  /** The codec read it as this type. */
  @SuppressWarnings({"unchecked", "NullAway"})
  @Override
  public <T> Optional<T> get(String key, TypeToken<T> type) {
    Type wanted = type.type();
    return find(requireKey(key)).map(text -> (T) codec.decode(text, wanted));
  }

  @Override
  public void set(String key, @Nullable Object value) {
    set(key, value, InferredType.of(value));
  }

  @Override
  public <T> void set(String key, T value, TypeToken<T> type) {
    set(key, value, type.type());
  }

  private void set(String key, @Nullable Object value, Type type) {
    String text = codec.encode(value, type);
    Optional<String> present = find(requireKey(key));
    if (present.isPresent() && !isSame(present.get(), text, value, type)) {
      throw new ContextKeyTakenException(run, key);
    }
    put(new ContextEntry(key, present.orElse(text), false));
  }

  /** One value may be written in many ways: a set in any order, what is encrypted in any. */
  private boolean isSame(String present, String text, @Nullable Object value, Type type) {
    if (present.equals(text)) {
      return true;
    }
    try {
      return codec
          .fingerprint(codec.decode(present, type), type)
          .equals(codec.fingerprint(value, type));
    } catch (InvalidValueException e) {
      return false; // it is of another type
    }
  }

  @Override
  public void replace(String key, @Nullable Object value) {
    put(new ContextEntry(requireKey(key), codec.encode(value, InferredType.of(value)), true));
  }

  @Override
  public <T> void replace(String key, T value, TypeToken<T> type) {
    put(new ContextEntry(requireKey(key), codec.encode(value, type.type()), true));
  }

  /** A body may replace what it has set itself, and what it replaced stays replaced. */
  private synchronized void put(ContextEntry entry) {
    Map<String, ContextEntry> mine = own == null ? new LinkedHashMap<>() : own;
    ContextEntry before = mine.get(entry.key());
    boolean replaces = entry.replaces() || (before != null && before.replaces());
    mine.put(entry.key(), new ContextEntry(entry.key(), entry.value(), replaces));
    own = mine;
  }

  private Optional<String> find(String key) {
    ContextEntry mine = mine(key);
    if (mine != null) {
      return Optional.of(mine.value());
    }
    try {
      return store.tasks().context(run, key);
    } catch (StoreException e) {
      unreachable = true;
      throw e.forCallers();
    }
  }

  private synchronized @Nullable ContextEntry mine(String key) {
    return own == null ? null : own.get(key);
  }

  /** The values to commit with the step. */
  synchronized List<StepEffect> effects() {
    return own == null ? List.of() : List.copyOf(own.values());
  }

  /** Whether the database could not be asked, which is not the body's fault. */
  boolean wasUnreachable() {
    return unreachable;
  }

  private static String requireKey(String key) {
    boolean storable =
        key.codePoints()
            .noneMatch(
                c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
    if (key.isBlank() || key.length() > LONGEST_KEY || !storable) {
      throw new IllegalArgumentException(
          "A context key has 1 to 255 characters, not all blank, without NUL and without half"
              + " surrogate pairs");
    }
    return key;
  }
}
