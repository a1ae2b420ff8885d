package dev.standpipe.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Draws docs/schema.md from what the database says of its tables. */
class SchemaPageTest {
  private static final Path PAGE = Path.of("..", "docs", "schema.md");
  private static final String WRITE = "schema.write";

  private static final String TABLES =
      """
      select substr(c.relname, 11), obj_description(c.oid, 'pg_class')
      from pg_class c
      where c.relname like 'standpipe\\_%' and c.relkind in ('r', 'v')
      order by c.relkind, c.relname""";

  private static final String COLUMNS =
      """
      select substr(c.relname, 11), a.attname, format_type(a.atttypid, null),
             exists (select 1 from pg_index i
                     where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey))
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relname like 'standpipe\\_%' and c.relkind = 'r'
      order by c.relname, a.attnum""";

  /** One column of a table. */
  private record Column(String name, String type, boolean isKey) {
    /** The table that it names a row of. */
    Optional<String> target() {
      if (name.endsWith("run_id")) {
        return Optional.of("run");
      }
      return switch (name) {
        case "process_id", "owner" -> Optional.of("process");
        case "lane", "parks_for" -> Optional.of("lane");
        case "definition_id" -> Optional.of("definition");
        case "task_id" -> Optional.of("task");
        default -> Optional.empty();
      };
    }
  }

  @Test
  void thePageMatchesTheTables() throws IOException {
    DataSource source = PostgresServer.hasty().migratedDatabase();
    String page = page(source);
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE))
        .as("docs/schema.md: run this test with -D%s=true to draw it again", WRITE)
        .isEqualTo(page);
  }

  private static String page(DataSource source) {
    Map<String, List<Column>> tables = new LinkedHashMap<>();
    for (String row : EngineFixture.query(source, COLUMNS)) {
      String[] parts = row.split("\\|", -1);
      tables
          .computeIfAbsent(parts[0], table -> new ArrayList<>())
          .add(new Column(parts[1], type(parts[2]), parts[3].equals("t")));
    }
    StringBuilder page =
        new StringBuilder(
            """
            # The tables

            Drawn from PostgreSQL's catalogue by `SchemaPageTest`, which fails when this page is out of date; run it with
            `-Dschema.write=true` to draw it again. SQLite has the same but for `stopped`, `live` and what a bundle needs. Only
            `lane` and `pause` have foreign keys ([design](design.md)): a line says what a column means. `./standpipe schema --dialect postgres` prints all of it
            with a comment for every column; on PostgreSQL the comments are in the database, too.

            ```mermaid
            erDiagram
            """);
    tables.forEach((table, columns) -> page.append(drawn(table, columns)));
    tables.forEach((table, columns) -> columns.forEach(column -> page.append(line(table, column))));
    page.append("```\n\n| table or view | what it holds |\n|---|---|\n");
    for (String row : EngineFixture.query(source, TABLES)) {
      String[] parts = row.split("\\|", 2);
      page.append("| `%s` | %s |\n".formatted(parts[0], parts[1]));
    }
    return page.toString();
  }

  private static String drawn(String table, List<Column> columns) {
    StringBuilder drawn = new StringBuilder("  " + table + " {\n");
    for (Column column : columns) {
      drawn.append("    %s %s%s\n".formatted(column.type, column.name, column.isKey ? " PK" : ""));
    }
    return drawn.append("  }\n").toString();
  }

  private static String line(String table, Column column) {
    return column
        .target()
        .filter(target -> !target.equals(table))
        .map(target -> "  %s ||--o{ %s : %s\n".formatted(target, table, column.name))
        .orElse("");
  }

  private static String type(String name) {
    return switch (name) {
      case "timestamp with time zone" -> "timestamptz";
      case "bit varying" -> "varbit";
      default -> name;
    };
  }
}
