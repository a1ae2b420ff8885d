package dev.standpipe.cli;

import dev.standpipe.cli.database.Address;
import dev.standpipe.cli.database.DatabaseOptions;
import dev.standpipe.cli.database.Target;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.doctor.Doctor;
import dev.standpipe.internal.doctor.Doctor.Limits;
import dev.standpipe.internal.store.jdbc.Dialects;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.operate.Finding;
import dev.standpipe.operate.Finding.Severity;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code standpipe doctor}: what is wrong with a database, and what to do about it. */
@Command(
    name = "doctor",
    description = {
      "Examine a database, reading only: broken promises, work that waits for nobody, and what makes"
          + " a database slow. Says what to do about each finding."
    },
    footer = {
      "",
      "Exits with 0 if all is well, 1 with warnings, 2 with violations, 3 if the database cannot be"
          + " examined."
    })
final class DoctorCommand implements Callable<Integer> {
  private static final int UNKNOWN = 3;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private DatabaseOptions database = new DatabaseOptions();

  @Option(names = "--schema", description = "The schema of the tables (PostgreSQL).")
  private Optional<String> schema = Optional.empty();

  @Option(
      names = "--table-prefix",
      defaultValue = "standpipe_",
      description = "What the tables' names start with; by default ${DEFAULT-VALUE}.")
  private String tablePrefix = "";

  @Option(
      names = "--long-transaction",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description = "How long transactions may be open; ${DEFAULT-VALUE} by default.")
  private long longTransaction;

  @Option(names = "--json", description = "Print the findings as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    Tables tables = new Tables(schema, tablePrefix);
    List<Finding> findings;
    int checks;
    try {
      database.given().ifPresent(Target::requireFile);
      Address address = database.required();
      DataSource source = address.open();
      Limits usual = Limits.DEFAULT;
      Limits limits =
          new Limits(usual.overdue(), Duration.ofSeconds(longTransaction), usual.dead());
      Doctor doctor = new Doctor(source, Dialects.of(source), tables, limits);
      findings = doctor.examine();
      checks = doctor.checks();
    } catch (StandpipeException e) {
      throw new CommandFailure(UNKNOWN, String.valueOf(e.getMessage()), e);
    } catch (CommandFailure e) {
      throw e.exitCode() == CommandFailure.FAILED
          ? new CommandFailure(UNKNOWN, String.valueOf(e.getMessage()), e)
          : e;
    }
    print(findings, checks);
    return count(findings, Severity.VIOLATION) > 0 ? 2 : findings.isEmpty() ? 0 : 1;
  }

  private void print(List<Finding> findings, int checks) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(JsonMapper.shared().writeValueAsString(report(findings, checks)));
    } else {
      for (Finding found : findings) {
        out.printf("%-9s  %s%n", word(found.severity()), found.check());
        out.printf("           %s.%n           %s%n", found.problem(), found.remedy());
      }
      out.printf(
          "%d checks, %d warnings, %d violations%n",
          checks, count(findings, Severity.WARNING), count(findings, Severity.VIOLATION));
    }
    out.flush();
  }

  private static Map<String, Object> report(List<Finding> findings, int checks) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("checks", checks);
    report.put("warnings", count(findings, Severity.WARNING));
    report.put("violations", count(findings, Severity.VIOLATION));
    report.put(
        "findings",
        findings.stream()
            .map(
                found ->
                    Map.of(
                        "check", found.check(),
                        "severity", word(found.severity()),
                        "problem", found.problem(),
                        "remedy", found.remedy()))
            .toList());
    return report;
  }

  private static long count(List<Finding> findings, Severity severity) {
    return findings.stream().filter(found -> found.severity() == severity).count();
  }

  private static String word(Severity severity) {
    return severity.name().toLowerCase(Locale.ROOT);
  }
}
