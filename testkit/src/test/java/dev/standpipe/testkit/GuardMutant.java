package dev.standpipe.testkit;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A guard taken out of one statement.
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

  /** A file of SQL with this mutation, if the statement is in it. */
  String edit(String file) {
    Matcher block =
        Pattern.compile("(?ms)^-- name: " + statement + "$.*?(?=^-- name: |\\z)").matcher(file);
    if (!block.find()) {
      return file;
    }
    int at = -1;
    for (int i = 0; i < nth; i++) {
      at = block.group().indexOf(fragment, at + 1);
      if (at < 0) {
        throw new AssertionError(
            "The statement %s of %s no longer says \"%s\": bring the mutants up to date"
                .formatted(statement, dialect, fragment));
      }
    }
    int start = block.start() + at;
    return file.substring(0, start) + replacement + file.substring(start + fragment.length());
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
