package dev.standpipe.conformance.guard;

/**
 * A guard taken out of one statement, one that a fragment brings as any other.
 *
 * @param dialect whose SQL it is
 * @param statement the statement's name
 * @param fragment what is taken out
 * @param nth which of several such fragments, from 1
 * @param replacement what stands there instead
 * @param breaks what goes wrong without it, or why nothing can
 */
record GuardMutant(
    String dialect, String statement, String fragment, int nth, String replacement, String breaks) {

  static GuardMutant of(
      String dialect, String statement, String fragment, String replacement, String breaks) {
    return new GuardMutant(dialect, statement, fragment, 1, replacement, breaks);
  }

  /** The same fragment further down in the statement. */
  GuardMutant second() {
    return new GuardMutant(dialect, statement, fragment, 2, replacement, breaks);
  }

  /** A statement, whole, with this mutation if it is the one: each use of a fragment by itself. */
  String edit(String name, String text) {
    if (!name.equals(statement)) {
      return text;
    }
    int at = -1;
    for (int i = 0; i < nth; i++) {
      at = text.indexOf(fragment, at + 1);
      if (at < 0) {
        throw new AssertionError(
            "The statement %s of %s no longer says \"%s\": bring the mutants up to date"
                .formatted(statement, dialect, fragment));
      }
    }
    return text.substring(0, at) + replacement + text.substring(at + fragment.length());
  }

  @Override
  public String toString() {
    return dialect
        + " "
        + statement
        + ": \""
        + fragment
        + "\" "
        + nth
        + " -> \""
        + replacement
        + '"';
  }
}
