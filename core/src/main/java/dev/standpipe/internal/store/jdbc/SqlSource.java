package dev.standpipe.internal.store.jdbc;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The SQL of one dialect as its files have it, read once: the statements that are shared and those
 * of its own, with fragments put in when a statement is first asked for.
 */
final class SqlSource {
  private static final Map<String, SqlSource> READ = new ConcurrentHashMap<>();

  private final SqlFolder own;
  private final SqlFolder shared;
  private final SqlFolder written;
  private final Fragments fragments;
  private final Map<String, String> whole = new ConcurrentHashMap<>();

  SqlSource(SqlFolder own, SqlFolder shared) {
    this.own = own;
    this.shared = shared;
    this.written = own.over(shared);
    this.fragments = new Fragments(written.fragments());
  }

  /** That of a dialect. */
  static SqlSource of(String dialect) {
    return READ.computeIfAbsent(
        dialect, name -> new SqlSource(SqlFolder.read(name), SqlFolder.read(SqlFolder.SHARED)));
  }

  /** The names of all statements. */
  Set<String> names() {
    return written.statements().keySet();
  }

  /** A statement with its fragments. */
  String text(String name) {
    String text = written.statements().get(name);
    if (text == null) {
      throw new IllegalArgumentException("No SQL statement " + name);
    }
    return whole.computeIfAbsent(name, key -> fragments.expand(text));
  }

  /** Refuses fragments that neither a statement nor another fragment uses, in either folder. */
  void requireFragmentsUsed() {
    fragments.requireUsed(shared.statements().values(), own.statements().values());
  }
}
