package dev.standpipe.internal.port;

import dev.standpipe.error.ErrorCode;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a failure of the database means for people, and what they can do about it. Pools wrap what a
 * driver has said, so the innermost failure that says something decides.
 *
 * @param code what went wrong, for programs
 * @param problem what went wrong, for people
 * @param remedy what to do about it
 */
public record Diagnosis(ErrorCode code, String problem, String remedy) {
  private static final int DEEPEST = 20;

  private static final Diagnosis POOL_EXHAUSTED =
      new Diagnosis(
          ErrorCode.CONNECTIONS_EXHAUSTED,
          "The pool has no connection left",
          "Make the pool larger, or find out who does not give connections back.");
  private static final Diagnosis UNKNOWN_HOST =
      new Diagnosis(
          ErrorCode.DATABASE_UNREACHABLE,
          "The database cannot be reached: its host is unknown",
          "Check the host in the URL, and the name server.");

  /** What this failure means, given what it means for the engine. */
  public static Diagnosis of(StoreFailure failure, SQLException error) {
    List<Throwable> chain = chain(error);
    for (int i = chain.size() - 1; i >= 0; i--) {
      Diagnosis known = known(chain.get(i));
      if (known != null) {
        return known;
      }
    }
    if (chain.size() == 1 && isFromPool(error)) {
      return POOL_EXHAUSTED;
    }
    return failure == StoreFailure.CONNECTION ? unreachable() : refused();
  }

  private static Diagnosis unreachable() {
    return new Diagnosis(
        ErrorCode.DATABASE_UNREACHABLE,
        "The database cannot be reached",
        "Check its address, that it runs, and the way to it.");
  }

  private static Diagnosis refused() {
    return new Diagnosis(
        ErrorCode.DATABASE_ERROR,
        "The database refused a statement",
        "Nothing took effect. What it said tells more.");
  }

  /** Whether trying again is in vain until a person changes a setting. */
  public boolean isLasting() {
    return code == ErrorCode.DATABASE_LOGIN_REFUSED;
  }

  private static @Nullable Diagnosis known(Throwable error) {
    if (error instanceof UnknownHostException) {
      return UNKNOWN_HOST;
    }
    if (!(error instanceof SQLException sql)) {
      return null;
    }
    String state = sql.getSQLState();
    return state == null ? ofSqlite(sql) : ofState(state, text(sql));
  }

  private static @Nullable Diagnosis ofState(String state, String text) {
    return switch (state) {
      case "28P01", "28000" -> login("its user or password is not accepted", "user and password");
      case "08004" ->
          text.contains("authentication") || text.contains("password")
              ? login("it wants a password", "user and password")
              : null;
      case "3D000" -> login("it has no such database", "the database's name, or create it");
      case "25006" ->
          new Diagnosis(
              ErrorCode.DATABASE_READ_ONLY,
              "The database is read-only",
              "Point the data source to the primary (targetServerType=primary), or turn"
                  + " default_transaction_read_only off. Nothing took effect.");
      case "42501" ->
          new Diagnosis(
              ErrorCode.DATABASE_RIGHTS_MISSING,
              "The database's user lacks a right",
              "Grant it usage of the schema, select, insert, update and delete on the tables and usage"
                  + " of the sequences; to make or upgrade tables it needs create on the schema and must"
                  + " own the tables.");
      case "3F000" ->
          mismatch(
              "There is no schema for the tables",
              "Create the schema, name one with schema(…), or set the user's search_path.");
      case "42P01", "42703", "42883", "42704" ->
          mismatch(
              "A table of Standpipe is missing, or is not what this version needs",
              "Check schema(…), tablePrefix(…) and the user's search_path; let Standpipe migrate, or"
                  + " apply what \"standpipe schema\" prints.");
      case "42P07", "42710", "42P06", "42701", "42809" ->
          mismatch(
              "Something that is not Standpipe's has the name of one of its tables or indexes",
              "Choose another tablePrefix(…) or schema(…), or remove what is in the way. Nothing was"
                  + " changed.");
      case "40001", "40P01", "55P03" ->
          conflict("The call lost a race with another transaction", "Call again.");
      case "57014" ->
          conflict(
              "The database gave up on a statement", "Call again, or raise statement_timeout.");
      case "53300" ->
          new Diagnosis(
              ErrorCode.CONNECTIONS_EXHAUSTED,
              "The server has no connection left",
              "Raise max_connections, or make the pools of its clients smaller.");
      case "53100" -> full();
      case "22021", "22P05" ->
          new Diagnosis(
              ErrorCode.INVALID_VALUE,
              "The database's encoding has no such character",
              "Use a database with the encoding UTF8, or leave the character out.");
      default -> state.startsWith("28") ? login("it refuses the login", "the login") : null;
    };
  }

  private static @Nullable Diagnosis ofSqlite(SQLException error) {
    String text = text(error);
    return switch (error.getErrorCode() & 0xff) {
      case 1 ->
          text.contains("no such table") || text.contains("no such column")
              ? mismatch(
                  "A table of Standpipe is missing, or is not what this version needs",
                  "Check the file and tablePrefix(…); let Standpipe migrate, or apply what \"standpipe"
                      + " schema\" prints. A database in memory belongs to one connection: use a file.")
              : text.contains("already exists") || text.contains("already another table")
                  ? mismatch(
                      "Something that is not Standpipe's has the name of one of its tables or indexes",
                      "Choose another tablePrefix(…), or remove what is in the way.")
                  : null;
      case 3, 23 ->
          new Diagnosis(
              ErrorCode.DATABASE_RIGHTS_MISSING,
              "This program may not use the file",
              "Let it read and write the file and its directory.");
      case 5, 6 ->
          conflict("The file is locked by another writer", "Call again, or end what holds it.");
      case 8 ->
          new Diagnosis(
              ErrorCode.DATABASE_READ_ONLY,
              "The file is read-only",
              "Let this program write the file and its directory. Nothing took effect.");
      case 13 -> full();
      case 14 ->
          new Diagnosis(
              ErrorCode.DATABASE_UNREACHABLE,
              "The file cannot be opened",
              "Check that its directory exists and may be written to.");
      case 11, 26 ->
          new Diagnosis(
              ErrorCode.DATABASE_ERROR,
              "The file is not an SQLite database, or is damaged",
              "Name another file, or restore it from a copy.");
      default -> null;
    };
  }

  private static Diagnosis login(String why, String what) {
    return new Diagnosis(
        ErrorCode.DATABASE_LOGIN_REFUSED,
        "The database does not let this program in: " + why,
        "Check " + what + ", and the server's rules for logins (pg_hba.conf).");
  }

  private static Diagnosis mismatch(String problem, String remedy) {
    return new Diagnosis(ErrorCode.SCHEMA_MISMATCH, problem, remedy);
  }

  private static Diagnosis conflict(String problem, String remedy) {
    return new Diagnosis(ErrorCode.DATABASE_CONFLICT, problem, "Nothing took effect. " + remedy);
  }

  private static Diagnosis full() {
    return new Diagnosis(
        ErrorCode.DATABASE_ERROR,
        "The database has no space left",
        "Make space. Nothing took effect.");
  }

  /** A pool that waits in vain says so itself, in different words and without a cause. */
  private static boolean isFromPool(SQLException error) {
    String text = text(error);
    boolean waited = text.contains("timed out") || text.contains("timeout");
    return error instanceof SQLTransientConnectionException
        || error instanceof SQLTimeoutException
        || error.getClass().getSimpleName().contains("PoolExhausted")
        || (error.getSQLState() == null && waited && text.contains("connection"));
  }

  private static String text(SQLException error) {
    return String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
  }

  /** The failure, what caused it and what came with it, outermost first. */
  private static List<Throwable> chain(SQLException error) {
    List<Throwable> chain = new ArrayList<>();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable e = error; e != null && chain.size() < DEEPEST && seen.add(e); ) {
      chain.add(e);
      Throwable cause = e.getCause();
      e = cause == null && e instanceof SQLException sql ? sql.getNextException() : cause;
    }
    return chain;
  }
}
