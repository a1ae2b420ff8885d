package dev.standpipe.conformance;

import dev.standpipe.HaltReason;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.StepError;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.Processes;
import dev.standpipe.internal.port.Processes.Member;
import dev.standpipe.internal.port.Processes.Reaped;
import dev.standpipe.internal.port.Processes.Serving;
import dev.standpipe.internal.port.Processes.StepLimit;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.LaneQueue;
import dev.standpipe.internal.port.Tasks.Reply;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import dev.standpipe.internal.store.JdbcStore;
import dev.standpipe.internal.store.connection.OwnedConnection;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Dialects;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.internal.store.schema.RunTables;
import dev.standpipe.internal.store.schema.Schema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database with Standpipe's tables and one pipeline, and short words for what tests of a store do
 * with it. Thread-safe.
 */
public final class StoreFixture implements AutoCloseable {
  /** The name of the pipeline. */
  public static final String PIPELINE = "orders";

  /** The node every run starts with, as the task 1. */
  public static final Entry ENTRY = new Entry("a", 1);

  private static final List<String> TABLES_OF_NO_RUN =
      List.of("definition", "lane", "process", "serving", "crash_limit", "pause");
  private static final Duration LONG = Duration.ofMinutes(10);

  /** By dialect: to read the files takes longer than many a test. */
  private static final Map<String, Sql> LOADED = new ConcurrentHashMap<>();

  private final DataSource source;
  private final Tables tables;
  private final Dialect dialect;
  private final Sql sql;
  private final UnaryOperator<Store> made;
  private final ConcurrentLinkedQueue<Store> stores = new ConcurrentLinkedQueue<>();
  private final Store store;
  private final Registered definition;

  private StoreFixture(DataSource source, Tables tables, Sql sql) {
    this(source, tables, sql, UnaryOperator.identity());
  }

  private StoreFixture(DataSource source, Tables tables, Sql sql, UnaryOperator<Store> made) {
    this.source = source;
    this.tables = tables;
    this.dialect = Dialects.of(source);
    this.sql = sql;
    this.made = made;
    this.store = another();
    this.definition = register(PIPELINE);
  }

  /** Creates the tables in an empty database. */
  public static StoreFixture in(DataSource source) {
    return in(source, Tables.DEFAULT);
  }

  /** Creates the tables, named so, in an empty database. */
  public static StoreFixture in(DataSource source, Tables tables) {
    migrate(source, tables);
    return new StoreFixture(source, tables, new Sql(Dialects.of(source).name(), tables));
  }

  /** Uses tables that are there. */
  public static StoreFixture on(DataSource source) {
    Sql sql = LOADED.computeIfAbsent(Dialects.of(source).name(), StoreFixture::load);
    return new StoreFixture(source, Tables.DEFAULT, sql);
  }

  /** Uses tables that are there, through this SQL and what is made of each store. */
  static StoreFixture on(DataSource source, Sql sql, UnaryOperator<Store> made) {
    return new StoreFixture(source, Tables.DEFAULT, sql, made);
  }

  private static Sql load(String dialect) {
    return new Sql(dialect, Tables.DEFAULT);
  }

  /** A pipeline whose steps run one after the other. */
  public static Graph graph(String pipeline, String... steps) {
    List<GraphNode> nodes = new ArrayList<>();
    String last = GraphNode.INPUT_KEY;
    nodes.add(new GraphNode(last, NodeKind.INPUT, List.of(), List.of()));
    for (String step : steps) {
      nodes.add(new GraphNode(step, NodeKind.STEP, List.of(last), List.of()));
      last = step;
    }
    return Graph.of(pipeline, nodes, last);
  }

  /** Brings these tables up to date. */
  static void migrate(DataSource source, Tables tables) {
    Dialect dialect = Dialects.of(source);
    try (OwnedConnection connection = new OwnedConnection(source, dialect)) {
      new Schema(dialect, tables).migrate(connection);
    }
  }

  /** Where its connections come from. */
  public DataSource source() {
    return source;
  }

  /** What kind of database it is. */
  public Dialect dialect() {
    return dialect;
  }

  /** A store. */
  public Store store() {
    return store;
  }

  /** One more store, with a connection of its own, as another process has. */
  public Store another() {
    Store more = made.apply(new JdbcStore(dialect, sql, new OwnedConnection(source, dialect)));
    stores.add(more);
    return more;
  }

  /** The pipeline. */
  public Registered definition() {
    return definition;
  }

  /** Registers another pipeline, of one step. */
  public Registered register(String pipeline) {
    Graph graph = graph(pipeline, "a");
    return new Registered(store.definitions().register(graph), graph);
  }

  /** The lane of the pipeline. */
  public int lane() {
    return definition.lane();
  }

  /** Adds a process that serves the pipeline and outlives the test. */
  public UUID join() {
    return join(LONG);
  }

  /** Adds a process with a lease of this length. */
  public UUID join(Duration lease) {
    return join(lease, Processes.CRASH_LIMIT);
  }

  /** Adds a process with a lease of this length that allows its steps so many crashes. */
  public UUID join(Duration lease, int crashLimit, StepLimit... stepLimits) {
    UUID id = UUID.randomUUID();
    Serving serving = new Serving(List.of(lane()), crashLimit, List.of(stepLimits));
    store.processes().join(new Member(id, "p-" + id, "localhost", 1), lease, serving);
    return id;
  }

  /** Removes a process as a reaper does that did not see what it claimed meanwhile. */
  public void overtake(UUID process) {
    execute("delete from standpipe.process where id = '%s'".formatted(process));
  }

  /** Reaps as a process does to which others have been beating all along. */
  public Optional<Reaped> reap() {
    keepSteady();
    return store.processes().reap(UUID.randomUUID());
  }

  /**
   * As if there were one who has always been heard of and will be for ever, until one is heard of.
   */
  public void keepSteady() {
    boolean postgres = dialect.name().equals("postgres");
    String always = postgres ? "'-infinity', 'infinity'" : "0, " + Long.MAX_VALUE;
    execute(
        "insert into standpipe.heartbeat (id, steady_since, expected_by) values (1, "
            + always
            + ") on conflict (id) do update"
            + " set steady_since = excluded.steady_since, expected_by = excluded.expected_by");
  }

  /** A run with nothing special about it. */
  public static NewRun newRun() {
    return newRun(null, 0, 0, null);
  }

  /** A run to be started; its key, if it has one, is also what tells its input. */
  public static NewRun newRun(
      @Nullable String key, int priority, long delayMicros, @Nullable UUID owner) {
    return new NewRun(UUID.randomUUID(), key, key, priority, "{}", "{}", delayMicros, owner);
  }

  /** Starts runs with their first tasks ready; returns their ids. */
  public List<UUID> start(int count) {
    return start(IntStream.range(0, count).mapToObj(i -> newRun()).toList());
  }

  /** Starts a run. */
  public UUID start() {
    return start(1).get(0);
  }

  /** Starts these runs. */
  public List<UUID> start(List<NewRun> runs) {
    return store.runs().start(definition, runs, List.of(ENTRY));
  }

  /** Claims up to so many tasks of the pipeline. */
  public List<Claimed> claim(UUID owner, int limit) {
    return claim(store, owner, limit, lane());
  }

  /** Claims up to so many tasks of these lanes. */
  public static List<Claimed> claim(Store store, UUID owner, int limit, Integer... lanes) {
    List<LaneQueue> queues = Stream.of(lanes).map(LaneQueue::new).toList();
    return store.tasks().claim(owner, queues, limit).tasks();
  }

  /** Claims until nothing is left, a few at a time. */
  public List<Claimed> claimAll(UUID owner, int limit) {
    List<Claimed> all = new ArrayList<>();
    List<Claimed> claimed;
    do {
      claimed = claim(owner, limit);
      if (claimed.size() > limit) {
        throw new AssertionError("Expected no more than " + limit + " but got " + claimed.size());
      }
      all.addAll(claimed);
    } while (!claimed.isEmpty());
    return all;
  }

  /** Claims the one task there is. */
  public Claimed claim(UUID owner) {
    List<Claimed> claimed = claim(owner, 2);
    if (claimed.size() != 1) {
      throw new AssertionError("Expected one ready task but got " + claimed);
    }
    return claimed.get(0);
  }

  /** Claims a suspect of the pipeline, to be the only one that its process holds. */
  public Optional<Claimed> claimSuspect(UUID owner) {
    return claimSuspects(owner, 1).stream().findFirst();
  }

  /** Claims suspects of the pipeline for a process that holds none. */
  public List<Claimed> claimSuspects(UUID owner, int most) {
    return store.tasks().claimSuspects(owner, List.of(lane()), 0, most);
  }

  /** Starts a run and claims its first task. */
  public Claimed startAndClaim(UUID owner) {
    start();
    return claim(owner);
  }

  /** Settles in one call. */
  public Reply settle(UUID owner, Settlement... settlements) {
    return store.tasks().settle(owner, List.of(settlements));
  }

  /** Settles one and tells its fate. */
  public SettlementFate fate(UUID owner, Settlement settlement) {
    return settle(owner, settlement).fates().get(0);
  }

  /** A settlement of a task that was claimed. */
  public static Settlement settlement(Claimed task, Settlement.Verdict verdict) {
    return new Settlement(
        task.ref(),
        task.node(),
        task.index(),
        task.lane(),
        task.priority(),
        task.attempt(),
        1_500,
        verdict);
  }

  /** A try that failed and is followed by another. */
  public static Settlement retried(Claimed task, Duration delay) {
    return settlement(
        task, new Settlement.Retried(AttemptOutcome.FAILED, error(), delay.toNanos() / 1000));
  }

  /** A try that asked for another, without having failed. */
  public static Settlement snoozed(Claimed task, Duration delay) {
    return settlement(task, new Settlement.Snoozed(delay.toNanos() / 1000));
  }

  /** A try that failed for good. */
  public static Settlement failed(Claimed task) {
    return settlement(
        task, new Settlement.Failed(AttemptOutcome.FAILED, error(), HaltReason.RETRIES_EXHAUSTED));
  }

  /** A task that succeeded and ended its run early; others have no time to end. */
  public static Settlement finished(Claimed task, String output) {
    return finished(task, output, 0);
  }

  /** A task that succeeded and ended its run early. */
  public static Settlement finished(Claimed task, String output, long graceMicros) {
    Settlement.Value value = new Settlement.Value(task.node(), task.index(), "\"done\"", false);
    return settlement(task, new Settlement.Finished(List.of(value), output, graceMicros));
  }

  /** A task given back. */
  public static Settlement released(Claimed task) {
    return settlement(task, new Settlement.Released());
  }

  /** The error of those that fail. */
  public static StepError error() {
    return new StepError("java.io.IOException", "the \"press\"\nis jammed \\o/ ✂", "at a\n\tat b");
  }

  /** Every row of every table, to see whether anything has changed. */
  public Map<String, List<String>> dump() {
    try (Connection connection = source.getConnection()) {
      Map<String, List<String>> dump = new TreeMap<>();
      List<String> tables = RunTables.names(dialect);
      tables.addAll(TABLES_OF_NO_RUN);
      for (String table : tables) {
        List<String> rows = query(connection, "select * from standpipe." + table);
        Collections.sort(rows);
        dump.put(table, rows);
      }
      return dump;
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot read the tables", e);
    }
  }

  /** The values of all elements of a node, in element order. */
  public List<@Nullable String> elements(UUID run, String node) {
    List<@Nullable String> values = new ArrayList<>();
    store
        .tasks()
        .elements(run, node, 0, Integer.MAX_VALUE, Integer.MAX_VALUE)
        .forEach(element -> values.add(element.value()));
    return values;
  }

  /** The rows of a query that names tables as {@code standpipe.task}, columns parted by bars. */
  public List<String> query(String sql) {
    try (Connection connection = source.getConnection()) {
      return query(connection, sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private List<String> query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(tables.resolve(sql))) {
      List<String> rows = new ArrayList<>();
      while (row.next()) {
        List<String> columns = new ArrayList<>();
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
          columns.add(String.valueOf(row.getString(i)));
        }
        rows.add(String.join("|", columns));
      }
      return rows;
    }
  }

  /** Runs a statement that names tables as {@code standpipe.task}. */
  public void execute(String sql) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(tables.resolve(sql));
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  @Override
  public void close() {
    stores.forEach(Store::close);
  }
}
