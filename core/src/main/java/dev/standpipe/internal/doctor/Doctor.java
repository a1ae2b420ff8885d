package dev.standpipe.internal.doctor;

import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.store.connection.EngineLink;
import dev.standpipe.internal.store.connection.PooledConnections;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.internal.store.schema.Schema;
import dev.standpipe.operate.Finding;
import dev.standpipe.operate.Finding.Severity;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** Examines the tables in one place of a database. Changes nothing. Thread-safe. */
public final class Doctor {
  private static final Pattern INDEX = Pattern.compile("create (?:unique )?index (\\w+)");

  private final DataSource source;
  private final Dialect dialect;
  private final Sql sql;
  private final Schema schema;
  private final RowsWithoutRun rowsWithoutRun;
  private final Limits limits;

  /**
   * From where on something is worth a finding.
   *
   * @param overdue how late a reaper or a promoter may be
   * @param longTransaction how long others' transactions may be open
   * @param dead how many dead rows, or free pages, a table or file may have
   */
  public record Limits(Duration overdue, Duration longTransaction, long dead) {
    /** Limits that suit most databases. */
    public static final Limits DEFAULT =
        new Limits(Duration.ofSeconds(30), Duration.ofMinutes(5), 10_000);

    private Map<String, Long> parameters() {
      return Map.of(
          "overdue_us", overdue.toNanos() / 1000,
          "long_us", longTransaction.toNanos() / 1000,
          "dead", dead);
    }
  }

  /** Examines these tables. */
  public Doctor(DataSource source, Dialect dialect, Tables tables, Limits limits) {
    this.source = source;
    this.dialect = dialect;
    this.sql = new Sql(dialect, tables);
    this.schema = new Schema(dialect, tables);
    this.rowsWithoutRun = new RowsWithoutRun(dialect, tables);
    this.limits = limits;
  }

  /** How many things are looked at. */
  public int checks() {
    return 4 + (int) Check.ALL.stream().filter(this::isKnown).count();
  }

  /** All that is found, violations first. */
  public List<Finding> examine() {
    try {
      return PooledConnections.toRead(source, dialect).use(this::examine);
    } catch (SQLException e) {
      throw new StoreException(dialect.classify(e), e);
    }
  }

  private List<Finding> examine(EngineLink link) throws SQLException {
    Optional<Finding> misfit = version(new Reading(link, dialect, sql));
    if (misfit.isPresent()) {
      return List.of(misfit.get());
    }
    link.beginReading();
    try {
      return examine(new Reading(link, dialect, sql));
    } finally {
      link.endReading();
    }
  }

  private List<Finding> examine(Reading reading) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    for (Check check : Check.ALL) {
      if (isKnown(check)) {
        findings.addAll(
            reading
                .list(
                    check.name(),
                    limits.parameters(),
                    row ->
                        row.getLong("n") == 0
                            ? Optional.<Finding>empty()
                            : Optional.of(
                                check.finding(row.getLong("n"), row.getString("example"))))
                .stream()
                .flatMap(Optional::stream)
                .toList());
      }
    }
    new FanIns(reading).examine().ifPresent(findings::add);
    rowsWithoutRun.examine(reading).ifPresent(findings::add);
    indexes(reading).ifPresent(findings::add);
    findings.sort((a, b) -> b.severity().compareTo(a.severity()));
    return findings;
  }

  private boolean isKnown(Check check) {
    return sql.has("doctor_" + check.name());
  }

  private Optional<Finding> version(Reading reading) {
    int version;
    try {
      version = reading.list("version", Map.of(), row -> row.getInt("version")).get(0);
    } catch (SQLException e) {
      version = 0;
    }
    if (version == schema.newest()) {
      return Optional.empty();
    }
    String remedy =
        version > schema.newest()
            ? "Use a doctor, and programs, of the newer version."
            : Schema.isOfSnapshot(version)
                ? "A snapshot before the first release made them. " + Schema.AFTER_A_SNAPSHOT
                : "Let a process of this version start, or apply what \"standpipe schema\" prints.";
    return Optional.of(
        new Finding(
            "schema_version",
            Severity.VIOLATION,
            version == 0
                ? "There are no tables of Standpipe here"
                : "The tables are at version %d, this program needs %d"
                    .formatted(version, schema.newest()),
            remedy));
  }

  private Optional<Finding> indexes(Reading reading) throws SQLException {
    Set<String> there =
        new HashSet<>(reading.list("indexes", Map.of(), row -> row.getString("name")));
    List<String> missing =
        INDEX
            .matcher(schema.export())
            .results()
            .map(match -> match.group(1))
            .filter(name -> !there.contains(name))
            .toList();
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                "missing_index",
                Severity.WARNING,
                "Indexes are missing or invalid: " + String.join(", ", missing),
                "Make them again as \"standpipe schema\" prints them; until then claims read whole"
                    + " tables."));
  }
}
