package dev.standpipe.checker;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code checker <JDBC URL> [--prefix standpipe_] <history>…}: judges a database that is at rest
 * and the histories of all who worked on it. Exits with 0 if all invariants hold, with 1 if not,
 * and with 2 if it could not tell. The JDBC driver has to be on the class path.
 */
public final class Main {
  private static final String USAGE = "usage: checker <JDBC URL> [--prefix <prefix>] <history>…";
  static final int HOLDS = 0;
  static final int VIOLATED = 1;
  static final int CANNOT_TELL = 2;

  private Main() {}

  /** Runs it. */
  public static void main(String[] args) {
    System.exit(run(args, System.out));
  }

  static int run(String[] args, PrintStream out) {
    if (args.length == 0) {
      out.println(USAGE);
      return CANNOT_TELL;
    }
    String prefix = "standpipe_";
    List<Entry> histories = new ArrayList<>();
    try {
      for (int i = 1; i < args.length; i++) {
        if (args[i].equals("--prefix") && i + 1 < args.length) {
          prefix = args[++i];
        } else {
          histories.addAll(Entry.read(Path.of(args[i])));
        }
      }
      try (Connection connection = DriverManager.getConnection(args[0])) {
        Verdict verdict = Checker.check(connection, prefix, histories);
        out.println(verdict);
        return verdict.holds() ? HOLDS : VIOLATED;
      }
    } catch (IOException | SQLException | IllegalArgumentException e) {
      out.println("Cannot tell: " + e);
      return CANNOT_TELL;
    }
  }
}
