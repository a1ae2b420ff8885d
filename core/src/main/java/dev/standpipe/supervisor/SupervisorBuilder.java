package dev.standpipe.supervisor;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.engine.client.ApiBoundary;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.lease.ConnectRetry;
import dev.standpipe.internal.store.JdbcStore;
import dev.standpipe.internal.store.connection.DirectSource;
import dev.standpipe.internal.store.connection.PooledConnections;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Dialects;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.internal.store.schema.Schema;
import dev.standpipe.spi.Listener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** Sets up a {@link Supervisor}. Not thread-safe. */
public final class SupervisorBuilder {
  private final DataSource source;
  private final List<Listener> listeners = new ArrayList<>();
  private String main = "";
  private String classPath = System.getProperty("java.class.path", "");
  private List<String> jvmOptions = List.of();
  private List<String> arguments = List.of();
  private Map<String, String> environment = Map.of();
  private int processes = 1;

  /** More than any supervisor lives. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private Duration grace = Duration.ofSeconds(30);
  private Duration patience = Duration.ofSeconds(5);
  private Duration youth = Duration.ofSeconds(10);
  private Duration connectTimeout = Duration.ofMinutes(2);
  private Optional<String> schema = Optional.empty();
  private String tablePrefix = "standpipe_";

  SupervisorBuilder(DataSource source) {
    this.source = DirectSource.of(source);
  }

  /**
   * The class whose main method each child runs: one that serves pipelines until it is stopped, and
   * closes its Standpipe in a shutdown hook.
   */
  public SupervisorBuilder main(String className) {
    this.main = className;
    return this;
  }

  /** The class path of the children; by default this program's. */
  public SupervisorBuilder classPath(String classPath) {
    this.classPath = classPath;
    return this;
  }

  /** Options of the children's JVMs, such as {@code -Xmx512m}. */
  public SupervisorBuilder jvmOptions(List<String> options) {
    this.jvmOptions = List.copyOf(options);
    return this;
  }

  /** The arguments of the main method. */
  public SupervisorBuilder arguments(List<String> arguments) {
    this.arguments = List.copyOf(arguments);
    return this;
  }

  /** Environment variables of the children besides this program's own. */
  public SupervisorBuilder environment(Map<String, String> variables) {
    this.environment = Map.copyOf(variables);
    return this;
  }

  /** How many children; one by default. */
  public SupervisorBuilder processes(int count) {
    if (count < 1 || count > 1_000) {
      throw invalid("The number of processes must be 1 to 1000, was " + count);
    }
    this.processes = count;
    return this;
  }

  /** How long children may take to stop before they are killed; 30 seconds by default. */
  public SupervisorBuilder grace(Duration grace) {
    this.grace = checked("grace", grace);
    return this;
  }

  /** How long a child may be without its lease before it is killed; 5 seconds by default. */
  public SupervisorBuilder patience(Duration patience) {
    this.patience = checked("patience", patience);
    return this;
  }

  /** How long a child must have lived to be replaced without a pause; 10 seconds by default. */
  public SupervisorBuilder youth(Duration youth) {
    this.youth = checked("youth", youth);
    return this;
  }

  /** How long to keep trying to reach the database at the start; 2 minutes by default. */
  public SupervisorBuilder connectTimeout(Duration timeout) {
    this.connectTimeout = checked("connect timeout", timeout);
    return this;
  }

  private static Duration checked(String what, Duration time) {
    if (time.isNegative()) {
      throw invalid("The " + what + " must be zero or more, was " + time);
    }
    return time.compareTo(LONGEST) < 0 ? time : LONGEST;
  }

  /** The schema of the tables; by default the connection's own. */
  public SupervisorBuilder schema(String schema) {
    this.schema = Optional.of(schema);
    return this;
  }

  /** What the tables' names start with; {@code standpipe_} by default. */
  public SupervisorBuilder tablePrefix(String prefix) {
    this.tablePrefix = prefix;
    return this;
  }

  /** Adds one that hears what happens to the children. */
  public SupervisorBuilder listener(Listener listener) {
    listeners.add(listener);
    return this;
  }

  /**
   * Makes the tables if need be and starts the children.
   *
   * @throws StandpipeException if the database cannot be reached, or no main class is given
   */
  public Supervisor start() {
    if (main.isBlank()) {
      throw invalid("A supervisor needs the main class of its children");
    }
    return ApiBoundary.call(this::started);
  }

  private Supervisor started() {
    Tables tables = new Tables(schema, tablePrefix);
    Dialect dialect = ConnectRetry.within(connectTimeout, () -> prepare(tables));
    PooledConnections connections = new PooledConnections(source, dialect);
    JdbcStore store = new JdbcStore(dialect, new Sql(dialect, tables), connections);
    Supervisor.Setup setup =
        new Supervisor.Setup(
            store,
            Events.toUsers(listeners),
            processes,
            grace,
            new ChildSlot.Pace(patience, youth));
    return new Supervisor(setup, new Launch(main, classPath, jvmOptions, arguments, environment))
        .start();
  }

  private Dialect prepare(Tables tables) {
    Dialect dialect = Dialects.of(source);
    new Schema(dialect, tables).migrate(new PooledConnections(source, dialect));
    return dialect;
  }

  private static StandpipeException invalid(String message) {
    return new StandpipeException(ErrorCode.INVALID_SETTING, message);
  }
}
