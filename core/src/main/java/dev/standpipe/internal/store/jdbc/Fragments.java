package dev.standpipe.internal.store.jdbc;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The pieces that statements have in common, each written once. One that begins with {@code --
 * fragment: leased(run, task)} is put in wherever SQL says {@code {leased(i.run, i.task)}}, with
 * what stands in the parentheses in the place of its parameters, {@code {run}} and {@code {task}}.
 * Fragments may use others. Immutable.
 */
final class Fragments {
  private static final Pattern USE = Pattern.compile("\\{([a-z_]+)(?:\\(([^{}]*)\\))?\\}");
  private static final Pattern USED_NAME = Pattern.compile("\\{([a-z_]+)");

  /** A comma that is not inside of a call. */
  private static final Pattern COMMA = Pattern.compile("\\s*,\\s*(?![^(]*\\))");

  private final Map<String, Fragment> fragments;

  /**
   * One piece.
   *
   * @param parameters the names of what differs from use to use
   * @param text its text, without comments
   */
  record Fragment(List<String> parameters, String text) {
    private Set<String> uses() {
      Set<String> names = names(text);
      names.removeAll(parameters);
      return names;
    }
  }

  Fragments(Map<String, Fragment> fragments) {
    this.fragments = new TreeMap<>(fragments);
  }

  /** What stands between the parentheses, one by one. */
  static List<String> split(String list) {
    return list.isBlank() ? List.of() : List.of(COMMA.split(list.strip(), -1));
  }

  /** Refuses fragments that neither a statement nor another fragment uses. */
  void requireUsed(Collection<String> shared, Collection<String> own) {
    Set<String> unused = new TreeSet<>(fragments.keySet());
    shared.forEach(statement -> unused.removeAll(names(statement)));
    own.forEach(statement -> unused.removeAll(names(statement)));
    fragments.values().forEach(fragment -> unused.removeAll(fragment.uses()));
    if (!unused.isEmpty()) {
      throw new IllegalArgumentException("No SQL uses the fragments " + unused);
    }
  }

  /** Puts the fragments in; refuses a name that is none's. */
  String expand(String sql) {
    return expand(sql, new ArrayDeque<>());
  }

  /** The innermost first, so that what stands in parentheses may use fragments, too. */
  private String expand(String sql, Deque<String> inside) {
    String text = sql;
    for (Matcher use = USE.matcher(text); use.find(); use = USE.matcher(text)) {
      text = text.substring(0, use.start()) + text(use, inside) + text.substring(use.end());
    }
    if (text.indexOf('{') >= 0) {
      throw new IllegalArgumentException(
          "SQL has a brace that begins no fragment: " + text.substring(text.indexOf('{')));
    }
    return text;
  }

  private String text(MatchResult use, Deque<String> inside) {
    String name = use.group(1);
    Fragment fragment = fragments.get(name);
    if (fragment == null) {
      throw new IllegalArgumentException("SQL uses " + use.group() + ", which is no fragment");
    }
    List<String> arguments = use.group(2) == null ? List.of() : split(use.group(2));
    if (arguments.size() != fragment.parameters.size()) {
      throw new IllegalArgumentException(
          "SQL uses %s, and the fragment takes %s".formatted(use.group(), fragment.parameters));
    }
    if (inside.contains(name)) {
      throw new IllegalArgumentException("The fragment " + name + " uses itself");
    }
    String body = fragment.text;
    for (int i = 0; i < arguments.size(); i++) {
      body = body.replace('{' + fragment.parameters.get(i) + '}', arguments.get(i));
    }
    inside.push(name);
    String expanded = expand(body, inside);
    inside.pop();
    return expanded;
  }

  private static Set<String> names(String sql) {
    Set<String> names = new TreeSet<>();
    USED_NAME.matcher(sql).results().forEach(use -> names.add(use.group(1)));
    return names;
  }
}
