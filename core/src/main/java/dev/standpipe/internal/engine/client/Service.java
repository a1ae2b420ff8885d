package dev.standpipe.internal.engine.client;

import dev.standpipe.Deployment;
import dev.standpipe.Pipeline;
import dev.standpipe.Role;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.TypeToken;
import dev.standpipe.definition.Graph;
import dev.standpipe.error.DefinitionException;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.error.UnknownPipelineException;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.internal.codec.CheckedCodec;
import dev.standpipe.internal.codec.OwnValuesCodec;
import dev.standpipe.internal.doctor.Doctor;
import dev.standpipe.internal.engine.Engine;
import dev.standpipe.internal.engine.Hooks;
import dev.standpipe.internal.engine.Settings;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.lease.ConnectRetry;
import dev.standpipe.internal.engine.lease.EngineConnections;
import dev.standpipe.internal.engine.loop.Duty;
import dev.standpipe.internal.engine.loop.Loop;
import dev.standpipe.internal.engine.loop.LoopWatchdog;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.engine.operate.CompatibilityCheck;
import dev.standpipe.internal.engine.operate.QuarantineOperations;
import dev.standpipe.internal.engine.operate.RunOperations;
import dev.standpipe.internal.engine.operate.SignalOperations;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.LaneGoneException;
import dev.standpipe.internal.port.Runs;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.store.JdbcStore;
import dev.standpipe.internal.store.connection.CallConnections;
import dev.standpipe.internal.store.connection.JoinedConnection;
import dev.standpipe.internal.store.connection.OwnedConnection;
import dev.standpipe.internal.store.connection.PatientSource;
import dev.standpipe.internal.store.connection.PoolSize;
import dev.standpipe.internal.store.connection.PooledConnections;
import dev.standpipe.internal.store.connection.Purpose;
import dev.standpipe.internal.store.jdbc.Capability;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Dialects;
import dev.standpipe.internal.store.jdbc.Notifier;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.internal.store.schema.Schema;
import dev.standpipe.operate.Finding;
import dev.standpipe.operate.Incompatibility;
import dev.standpipe.operate.Operator;
import dev.standpipe.operate.Quarantine;
import dev.standpipe.spi.Listener;
import dev.standpipe.spi.PayloadCodec;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the API's calls come to: runs started and read, and an engine if pipelines are served. */
public final class Service implements AutoCloseable, Chaining {
  private static final Logger LOG = LoggerFactory.getLogger("dev.standpipe.events");

  /** Whoever closes this waits for so long at most: for the listener, which is told to end. */
  private static final Duration LONGEST_LISTEN = Duration.ofMillis(200);

  private static final Duration LONGEST_CALL = Duration.ofSeconds(1);
  private static final int LISTENS_PER_LEASE = 20;

  /** A handle keeps the ids of its siblings, so there are few. */
  private static final int MOST_SIBLINGS = 256;

  /** The size of a pool of which one is kept for calls: two more are always free for others. */
  private static final int KEPT_IF_NOT = 3;

  private static final int KEPT_IF_SERVING = 4 + KEPT_IF_NOT;

  private final CallConnections calls;
  private final Store store;
  private final Dialect dialect;
  private final Opening opening;
  private final Sql sql;
  private final Notifier notifier;
  private final PayloadCodec codec;
  private final RunWaiters waiters;
  private final @Nullable Engine engine;
  private final Starter starter;
  private final RunEndListeners ends;
  private final Events events;
  private final Hooks hooks;
  private final LoopWatchdog loopWatchdog;
  private final Duty notifyDuty;
  private final Loop watchLoop;
  private final Loop callLoop;
  private final Loop listenLoop;
  private final Map<String, Integer> lanes = new ConcurrentHashMap<>();
  private final OutageRetry outages;
  private AwaitReadAhead siblings = new AwaitReadAhead();
  private volatile boolean closed;

  /**
   * How to get to the database.
   *
   * @param source where connections come from
   * @param tables where the tables are
   * @param timeout how long to keep trying
   * @param migrate whether to make and upgrade the tables
   * @param notifications whether to use the database to wake other processes
   * @param outageTolerance how long a call waits while the database is away
   */
  public record Opening(
      DataSource source,
      Tables tables,
      Duration timeout,
      boolean migrate,
      boolean notifications,
      Duration outageTolerance) {}

  private Service(
      Opening opening,
      Dialect dialect,
      Settings settings,
      PayloadCodec codec,
      List<Listener> listeners,
      Deployment deployment) {
    this.dialect = dialect;
    this.opening = opening;
    this.sql = new Sql(dialect, opening.tables());
    this.outages = new OutageRetry(opening.outageTolerance());
    boolean serves = !deployment.pipelines().isEmpty() || settings.role() == Role.MAINTENANCE;
    int poolSize = serves ? PoolSize.of(opening.source()) : 0;
    this.calls = calls(opening.source(), serves ? KEPT_IF_SERVING : KEPT_IF_NOT);
    this.store = new JdbcStore(dialect, sql, calls);
    EngineConnections connections =
        new EngineConnections(opening.source(), dialect, sql, settings.lease(), poolSize);
    this.codec = new CheckedCodec(new OwnValuesCodec(codec), settings.maxValueBytes());
    PooledConnections pool = new PooledConnections(opening.source(), dialect);
    this.notifier =
        opening.notifications()
            ? dialect.notifier(pool, connections.listening(), opening.tables())
            : Notifier.SILENT;
    this.waiters =
        new RunWaiters(new JdbcStore(dialect, sql, pool).runs(), settings.pollInterval());
    this.events = Events.toUsers(listeners);
    this.ends = new RunEndListeners(waiters, events);
    this.hooks = settings.hooks();
    this.loopWatchdog = new LoopWatchdog(events);
    this.notifyDuty = new Duty("notifier", notifier::sendIfRequested, events);
    Duty waitDuty = new Duty("waiters", this::awaitAndCheckWatch, events);
    waiters.onWait(waitDuty::wake);
    this.callLoop = new Loop("callers", List.of(notifyDuty, waitDuty));
    this.listenLoop = new Loop("listener", () -> listen(longestListen(settings)), events);
    this.engine = serves ? engine(connections, settings, deployment, events) : null;
    if (engine != null) {
      ends.connect(engine::wakeRunEndDispatcher);
    }
    List<Duty> watching =
        new ArrayList<>(List.of(new Duty("rounds", this::tendAndWatchLoops, events)));
    if (engine != null) {
      watching.addAll(engine.watchDuties());
    }
    this.watchLoop = new Loop("watch", watching);
    loopWatchdog.lookAfter(List.of(callLoop, listenLoop));
    this.starter = new Starter(this.codec, engine, this::announce, Uuid7::next, outages);
  }

  /** Reaches the database, makes or checks the tables, and starts what is to run. */
  public static Service open(
      Opening opening,
      Settings settings,
      PayloadCodec codec,
      List<Listener> listeners,
      Deployment deployment) {
    requireStorable(deployment, codec);
    Dialect dialect = ConnectRetry.within(opening.timeout(), () -> prepare(opening));
    try {
      settings.hooks().runStart(); // once, however often joining is tried
      return ConnectRetry.within(
          opening.timeout(),
          () -> new Service(opening, dialect, settings, codec, listeners, deployment).begun());
    } catch (RuntimeException | Error e) {
      settings.hooks().runStop();
      throw e;
    }
  }

  /** What can never be stored is found out before anything runs, not by the first value. */
  private static void requireStorable(Deployment deployment, PayloadCodec codec) {
    for (Pipeline<?, ?> pipeline : deployment.pipelines()) {
      List<String> problems = new ArrayList<>();
      pipeline.graph().nodes().stream()
          .flatMap(node -> pipeline.step(node.key()).stream())
          .forEach(
              step ->
                  codec
                      .problems(step.type().type())
                      .forEach(problem -> problems.add("\"" + step.key() + "\": " + problem)));
      if (!problems.isEmpty()) {
        throw new DefinitionException(pipeline.name(), problems);
      }
    }
  }

  private Service begun() {
    try {
      begin();
      return this;
    } catch (RuntimeException | Error e) { // no connection, or no thread to be had
      stop();
      throw e;
    }
  }

  private void begin() {
    callLoop.start();
    if (engine != null) {
      engine.start();
      if (notifier.isAudible()) {
        listenLoop.start();
      }
      loopWatchdog.lookAfter(engine.loops());
    }
    watchLoop.start();
  }

  private Duration tendAndWatchLoops() {
    calls.tend();
    return loopWatchdog.make();
  }

  /** Somebody has to look after the one that looks after the others. */
  private Duration awaitAndCheckWatch() {
    loopWatchdog.look(watchLoop);
    return waiters.poll();
  }

  private static Dialect prepare(Opening opening) {
    Dialect dialect = Dialects.of(opening.source());
    dialect.caveat().ifPresent(caveat -> LOG.warn("event=database_caveat : {}", caveat));
    Schema schema = new Schema(dialect, opening.tables());
    PooledConnections connections = new PooledConnections(opening.source(), dialect);
    requireWritable(dialect, connections);
    if (opening.migrate()) {
      schema.migrate(connections);
    } else {
      schema.check(connections);
    }
    return dialect;
  }

  private static void requireWritable(Dialect dialect, PooledConnections connections) {
    try {
      connections.use(
          link -> {
            dialect.requireWritable(link);
            return true;
          });
    } catch (SQLException e) {
      throw new StoreException(dialect.classify(e), e);
    }
  }

  /** Calls wait while the database lets nobody in; the engine's parts come back by themselves. */
  private CallConnections calls(DataSource source, int sizeToKeepOne) {
    DataSource patient = new PatientSource(source, outages::reading);
    PooledConnections pool = new PooledConnections(patient, dialect);
    OwnedConnection own =
        new OwnedConnection(patient, dialect, Purpose.CALLS, Duration.ofMinutes(1));
    return new CallConnections(dialect, own, pool, PoolSize.canSpareOne(source, sizeToKeepOne));
  }

  private Engine engine(
      EngineConnections connections, Settings settings, Deployment deployment, Events events) {
    Map<Integer, Pipeline<?, ?>> byLane = new HashMap<>();
    if (settings.role().works()) {
      byLane.putAll(new CompatibilityCheck(deployment).takenOver(store.definitions()));
      for (Pipeline<?, ?> pipeline : deployment.pipelines()) {
        byLane.put(lane(pipeline.graph()), pipeline);
        pipeline
            .endCallbacks()
            .forEach(endCallback -> byLane.put(lane(endCallback.graph()), endCallback));
      }
    }
    return new Engine(
        new Engine.Site(connections, this::announce, Machine.REAL),
        settings,
        codec,
        new Engine.Served(byLane, waiters),
        events);
  }

  /** Starts runs, all or none. */
  public <I, O> List<Run<O>> start(
      Pipeline<I, O> pipeline, List<? extends I> inputs, Function<? super I, RunOptions> options) {
    requireOpen();
    inputs.forEach(input -> requireInput(pipeline, input));
    Starter.Batch batch = starter.batch(pipeline, lane(pipeline.graph()));
    inputs.forEach(input -> batch.add(input, given(options.apply(input))));
    List<UUID> ids = defined(pipeline.graph(), lane -> batch.in(lane).start(store));
    AwaitReadAhead siblings = siblings(ids.size());
    return ids.stream().map(id -> this.<O>started(id, pipeline, siblings)).toList();
  }

  /** Starts a run in the caller's transaction. */
  public <I, O> Run<O> start(
      Connection connection, Pipeline<I, O> pipeline, I input, RunOptions options) {
    requireOpen();
    requireInput(pipeline, input);
    Arguments.require(
        connection != null, "Give the connection whose transaction the run is to join");
    Store joined = new JdbcStore(dialect, sql, new JoinedConnection(connection));
    Graph graph = pipeline.graph();
    Integer known = lanes.get(graph.hash());
    boolean alone =
        !dialect.has(Capability.MANY_WRITERS); // which is the caller: no other connection may write
    int lane = known == null && alone ? joined.definitions().register(graph) : lane(graph);
    Starter.Batch batch = starter.batch(pipeline, lane);
    batch.add(input, given(options));
    UUID id;
    try {
      id = batch.startJoined(joined).get(0);
    } catch (LaneGoneException e) {
      lanes.remove(graph.hash());
      int again = alone ? joined.definitions().register(graph) : lane(graph);
      id = batch.in(again).startJoined(joined).get(0);
    }
    return started(id, pipeline, siblings(1));
  }

  @Override
  public <R> Run<R> then(UUID upstream, Pipeline<?, R> next, RunOptions options) {
    requireOpen();
    Starter.Batch batch = starter.batch(next, lane(next.graph()));
    RunOptions chosen = given(options);
    return linked(
        defined(next.graph(), lane -> batch.in(lane).then(store, upstream, chosen)), next);
  }

  /** Starts a run that waits for others. */
  public <I, O> Run<O> start(
      List<UUID> upstreams, Pipeline<I, O> pipeline, I input, RunOptions options) {
    requireOpen();
    requireInput(pipeline, input);
    Starter.Batch batch = starter.batch(pipeline, lane(pipeline.graph()));
    RunOptions chosen = given(options);
    return linked(
        defined(pipeline.graph(), lane -> batch.in(lane).after(store, upstreams, input, chosen)),
        pipeline);
  }

  private static void requireInput(Pipeline<?, ?> pipeline, @Nullable Object input) {
    Arguments.require(pipeline != null, "There is no pipeline to start: null is none");
    Arguments.require(
        input != null || pipeline.inputType().type() == Void.class,
        "A run needs an input, and null is none: give it one, or declare Void");
  }

  private static RunOptions given(@Nullable RunOptions options) {
    if (options == null) {
      throw new StandpipeException(
          ErrorCode.INVALID_ARGUMENT, "The options of a run are null: say RunOptions.none()");
    }
    return options;
  }

  private <O> Run<O> linked(Starter.Linked linked, Pipeline<?, O> pipeline) {
    if (linked.skipped()) {
      ends.ended(store.runs(), linked.run());
      ends.followUp();
    }
    return handle(linked.run(), pipeline.graph(), pipeline.outputType());
  }

  /** Starts a run of a pipeline known by name. */
  public Run<Object> start(String pipeline, Object input, RunOptions options) {
    requireOpen();
    Arguments.require(pipeline != null, "Give the name of the pipeline to start");
    Registered newest =
        outages
            .reading(() -> store.definitions().newest(pipeline))
            .orElseThrow(() -> new UnknownPipelineException(pipeline));
    Starter.Batch batch = starter.batch(newest);
    batch.add(input, given(options));
    UUID id = batch.start(store).get(0);
    return handle(id, newest.graph(), TypeToken.of(Object.class));
  }

  /** A run by its id. */
  public Run<Object> run(UUID id) {
    requireOpen();
    Arguments.require(id != null, "Give the id of the run");
    int lane =
        outages.reading(() -> store.runs().lane(id)).orElseThrow(() -> new UnknownRunException(id));
    Graph graph =
        outages
            .reading(() -> store.definitions().byLane(lane))
            .orElseThrow(() -> undefined(id, lane))
            .graph();
    return handle(id, graph, TypeToken.of(Object.class));
  }

  private static StandpipeException undefined(UUID run, int lane) {
    return new StandpipeException(
        ErrorCode.UNKNOWN_LANE,
        "Run %s is of definition %d, which is not in the database: ask for it with its pipeline, and"
                .formatted(run, lane)
            + " let the doctor tell which others there are.");
  }

  /** A run of this pipeline by its id. */
  public <O> Run<O> run(Pipeline<?, O> pipeline, UUID id) {
    requireOpen();
    Arguments.require(pipeline != null && id != null, "Give the pipeline and the id of the run");
    RunInfo info =
        outages.reading(() -> store.runs().find(id)).orElseThrow(() -> new UnknownRunException(id));
    if (!info.pipeline().equals(pipeline.name())) {
      throw new UnknownRunException(id);
    }
    return handle(id, pipeline.graph(), pipeline.outputType());
  }

  /** A run by its pipeline's name and its key. */
  public Optional<Run<Object>> run(String pipeline, String key) {
    return keyed(pipeline, key).map(this::run);
  }

  /** A run of this pipeline by its key. */
  public <O> Optional<Run<O>> run(Pipeline<?, O> pipeline, String key) {
    return keyed(pipeline.name(), key)
        .map(id -> handle(id, pipeline.graph(), pipeline.outputType()));
  }

  private Optional<UUID> keyed(String pipeline, String key) {
    requireOpen();
    return store.runs().keyed(pipeline, List.of(key)).stream().map(Runs.Keyed::id).findFirst();
  }

  /** The quarantine. */
  public Quarantine quarantine() {
    requireOpen();
    return ApiBoundary.around(Quarantine.class, new QuarantineOperations(store, this::announce));
  }

  /** What can be done to runs in somebody's name. */
  public Operator operator(String by) {
    requireOpen();
    RunOperations.Office office =
        new RunOperations.Office(store, ends, engine, starter, signals(), this::announce);
    return ApiBoundary.around(Operator.class, new RunOperations(by, office));
  }

  /** Where signals are taken. */
  public SignalOperations signals() {
    requireOpen();
    return new SignalOperations(store, codec, engine, this::announce);
  }

  /** The definitions with runs in flight that this code cannot go on with. */
  public List<Incompatibility> check(Deployment deployment) {
    requireOpen();
    return new CompatibilityCheck(deployment).check(store.definitions());
  }

  /** What is wrong with the database. */
  public List<Finding> doctor() {
    requireOpen();
    return new Doctor(opening.source(), dialect, opening.tables(), Doctor.Limits.DEFAULT).examine();
  }

  private <O> Run<O> handle(UUID id, Graph graph, TypeToken<O> type) {
    return handle(StartedRun.before(id, graph.output()), graph.pipeline(), type);
  }

  private <O> Run<O> started(UUID id, Pipeline<?, O> pipeline, AwaitReadAhead among) {
    StartedRun run = StartedRun.now(id, pipeline.graph().output(), among);
    return handle(run, pipeline.name(), pipeline.outputType());
  }

  private <O> Run<O> handle(StartedRun run, String pipeline, TypeToken<O> type) {
    return new RunHandle<>(
        run, pipeline, type, new RunHandle.Deps(store.runs(), waiters, codec, this, outages));
  }

  /** Those among which so many more runs are started: one by one, or a batch of their own. */
  private synchronized AwaitReadAhead siblings(int more) {
    if (more > 1) {
      return new AwaitReadAhead();
    }
    if (siblings.size() >= MOST_SIBLINGS) {
      siblings = new AwaitReadAhead();
    }
    return siblings;
  }

  private int lane(Graph graph) {
    return lanes.computeIfAbsent(
        graph.hash(), hash -> outages.reading(() -> store.definitions().register(graph)));
  }

  /** Starts in the lane that is remembered; if its definition was lost, in the one it gets now. */
  private <T> T defined(Graph graph, IntFunction<T> start) {
    int lane = lane(graph);
    try {
      return start.apply(lane);
    } catch (LaneGoneException e) {
      lanes.remove(graph.hash(), lane);
      return start.apply(lane(graph));
    }
  }

  /** Tells this process and the others that there are tasks to take. */
  private void announce() {
    if (engine != null) {
      engine.wakeClaimer();
    }
    if (notifier.request()) {
      notifyDuty.wake();
    }
  }

  /** Heartbeats come in between. */
  private static Duration longestListen(Settings settings) {
    Duration wait = LONGEST_LISTEN;
    for (Duration other :
        List.of(settings.pollInterval(), settings.lease().dividedBy(LISTENS_PER_LEASE))) {
      wait = other.compareTo(wait) < 0 ? other : wait;
    }
    return wait;
  }

  private Duration listen(Duration atMost) {
    Engine served = Objects.requireNonNull(engine, "only who serves listens");
    if (!notifier.isAudible()) {
      served.hears(false);
      return Duration.ofHours(1);
    }
    try {
      if (notifier.listen(atMost)) {
        served.wakeClaimer();
      }
      served.hears(true);
    } catch (StoreException e) {
      served.hears(false);
      throw e;
    }
    return Duration.ZERO;
  }

  private void requireOpen() {
    if (closed) {
      throw new StandpipeException(
          ErrorCode.CLOSED, "This Standpipe is closed: make a new one to start or read runs");
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    boolean interrupted = Thread.interrupted(); // or nothing would be waited for
    try {
      stop();
      hooks.runStop();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void stop() {
    closed = true;
    outages.close();
    listenLoop.stop();
    if (engine != null) {
      notifier.wakeListener();
      notifyDuty.wake();
      engine.close();
    }
    watchLoop.close();
    callLoop.close(LONGEST_CALL);
    waiters.close();
    notifier.close();
    store.close();
    events.close();
  }
}
