package dev.standpipe.internal.doctor;

import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.internal.store.schema.RunTables;
import dev.standpipe.operate.Finding;
import dev.standpipe.operate.Finding.Severity;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds rows of runs that are not there. The statement is made from the list of tables that have
 * rows of runs, so that a new table cannot be forgotten here.
 */
final class RowsWithoutRun {
  /** Tasks have a check of their own, which knows the rows that several runs share. */
  private static final Set<String> CHECKED_APART = Set.of("run", "task");

  private static final String ROWS =
      """
      select '%1$s' as place, count(*) as n, min(cast(x.%2$s as text)) as example
      from standpipe.%1$s x
      where x.%2$s is not null and not exists (select 1 from standpipe.run r where r.id = x.%2$s)
      """;

  private final String sql;

  RowsWithoutRun(Dialect dialect, Tables tables) {
    this.sql =
        RunTables.of(dialect).entrySet().stream()
            .filter(table -> !CHECKED_APART.contains(table.getKey()))
            .flatMap(
                table -> table.getValue().stream().map(run -> ROWS.formatted(table.getKey(), run)))
            .map(tables::resolve)
            .collect(Collectors.joining("union all\n"));
  }

  private record Orphans(String table, long count, String example) {}

  Optional<Finding> examine(Reading reading) throws SQLException {
    List<Orphans> found =
        reading
            .list(
                sql,
                row ->
                    new Orphans(
                        row.getString("place"),
                        row.getLong("n"),
                        String.valueOf(row.getString("example"))))
            .stream()
            .filter(orphans -> orphans.count > 0)
            .toList();
    return found.isEmpty() ? Optional.empty() : Optional.of(finding(found));
  }

  private static Finding finding(List<Orphans> found) {
    return new Finding(
        "row_without_run",
        Severity.VIOLATION,
        "%d rows belong to runs that are not there, in the tables %s, such as of run %s"
            .formatted(
                found.stream().mapToLong(Orphans::count).sum(),
                found.stream().map(Orphans::table).distinct().collect(Collectors.joining(", ")),
                found.get(0).example),
        Check.REPORT);
  }
}
