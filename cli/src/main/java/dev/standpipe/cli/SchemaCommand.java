package dev.standpipe.cli;

import dev.standpipe.internal.store.jdbc.Dialects;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.internal.store.schema.Schema;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code standpipe schema}: the tables as plain SQL, for those who apply such things themselves.
 */
@Command(name = "schema", description = "Print the SQL that makes Standpipe's tables.")
final class SchemaCommand implements Runnable {
  /** The databases there is SQL for. */
  enum DialectName {
    POSTGRES,
    SQLITE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--dialect",
      required = true,
      description = "The kind of database: ${COMPLETION-CANDIDATES}.")
  private DialectName dialect = DialectName.POSTGRES;

  @Option(
      names = "--schema",
      description =
          "The schema to put the tables in (PostgreSQL); by default the connection's own.")
  private Optional<String> schema = Optional.empty();

  @Option(
      names = "--table-prefix",
      defaultValue = "standpipe_",
      description = "What the tables' names start with; by default ${DEFAULT-VALUE}.")
  private String tablePrefix = "";

  @Override
  public void run() {
    if (dialect == DialectName.SQLITE && schema.isPresent()) {
      throw new CommandFailure(
          CommandFailure.USAGE,
          "SQLite has no schemas: leave --schema out, or use --table-prefix.");
    }
    Tables tables = new Tables(schema, tablePrefix);
    PrintWriter out = spec.commandLine().getOut();
    out.print(new Schema(Dialects.named(dialect.toString()), tables).export());
    out.flush();
  }
}
