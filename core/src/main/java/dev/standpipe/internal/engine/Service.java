package dev.standpipe.internal.engine;

import dev.standpipe.Deployment;
import dev.standpipe.ErrorCode;
import dev.standpipe.Finding;
import dev.standpipe.Incompatibility;
import dev.standpipe.Operator;
import dev.standpipe.Pipeline;
import dev.standpipe.Quarantine;
import dev.standpipe.Role;
import dev.standpipe.Run;
import dev.standpipe.RunInfo;
import dev.standpipe.RunOptions;
import dev.standpipe.StandpipeException;
import dev.standpipe.TypeToken;
import dev.standpipe.UnknownPipelineException;
import dev.standpipe.UnknownRunException;
import dev.standpipe.definition.Graph;
import dev.standpipe.internal.codec.CheckedCodec;
import dev.standpipe.internal.doctor.Doctor;
import dev.standpipe.internal.store.Bell;
import dev.standpipe.internal.store.Dialect;
import dev.standpipe.internal.store.Dialects;
import dev.standpipe.internal.store.JdbcStore;
import dev.standpipe.internal.store.JoinedConnection;
import dev.standpipe.internal.store.PooledConnections;
import dev.standpipe.internal.store.Schema;
import dev.standpipe.internal.store.Sql;
import dev.standpipe.internal.store.Tables;
import dev.standpipe.spi.Definitions.Registered;
import dev.standpipe.spi.Listener;
import dev.standpipe.spi.PayloadCodec;
import dev.standpipe.spi.Store;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What the API's calls come to: runs started and read, and an engine if pipelines are served. */
public final class Service implements AutoCloseable, Chaining {
  /** Whoever closes this waits for so long at most: for the listener, which is told to end. */
  private static final Duration LONGEST_LISTEN = Duration.ofMillis(200);

  private final Store store;
  private final Dialect dialect;
  private final Opening opening;
  private final Sql sql;
  private final Bell bell;
  private final PayloadCodec codec;
  private final Waiters waiters;
  private final @Nullable Engine engine;
  private final Starter starter;
  private final Ends ends;
  private final Hooks hooks;
  private final Rounds rounds;
  private final Loop roundsLoop;
  private final Loop waitLoop;
  private final Loop ringLoop;
  private final Loop listenLoop;
  private final Map<String, Integer> lanes = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * How to get to the database.
   *
   * @param source where connections come from
   * @param tables where the tables are
   * @param timeout how long to keep trying
   * @param migrate whether to make and upgrade the tables
   * @param notifications whether to use the database to wake other processes
   */
  public record Opening(
      DataSource source, Tables tables, Duration timeout, boolean migrate, boolean notifications) {}

  private Service(
      Opening opening,
      Dialect dialect,
      Settings settings,
      PayloadCodec codec,
      List<Listener> listeners,
      Deployment deployment) {
    this.dialect = dialect;
    this.opening = opening;
    this.sql = new Sql(dialect.name(), opening.tables());
    this.store = new JdbcStore(dialect, sql, new PooledConnections(opening.source(), dialect));
    this.codec = new CheckedCodec(codec, settings.maxValueBytes());
    this.bell =
        opening.notifications() ? dialect.bell(opening.source(), opening.tables()) : Bell.SILENT;
    this.waiters = new Waiters(store.runs(), settings.pollInterval());
    Events events = new Events(listeners);
    this.ends = new Ends(waiters, events);
    this.hooks = settings.hooks();
    this.rounds = new Rounds(events);
    this.roundsLoop = new Loop("rounds", rounds::make, events);
    this.waitLoop = new Loop("waiters", this::awaitAndCheckRounds, events);
    this.ringLoop = new Loop("bell", bell::ringIfAsked, events);
    this.listenLoop = new Loop("listener", () -> listen(settings.pollInterval()), events);
    waiters.onWait(waitLoop::wake);
    boolean serves = !deployment.pipelines().isEmpty() || settings.role() == Role.MAINTENANCE;
    this.engine = serves ? engine(opening, settings, deployment, events) : null;
    if (engine != null) {
      ends.connect(engine::wakeFollower);
    }
    rounds.lookAfter(List.of(waitLoop, ringLoop, listenLoop));
    this.starter = new Starter(this.codec, engine, this::announce, Uuid7::next);
  }

  /** Reaches the database, makes or checks the tables, and starts what is to run. */
  public static Service open(
      Opening opening,
      Settings settings,
      PayloadCodec codec,
      List<Listener> listeners,
      Deployment deployment) {
    Dialect dialect = Reach.within(opening.timeout(), () -> prepare(opening));
    return Reach.within(
        opening.timeout(),
        () -> new Service(opening, dialect, settings, codec, listeners, deployment).begun());
  }

  private Service begun() {
    try {
      begin();
      return this;
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void begin() {
    waitLoop.start();
    ringLoop.start();
    hooks.runStart();
    if (engine != null) {
      engine.start();
      listenLoop.start();
      rounds.lookAfter(engine.loops());
    }
    roundsLoop.start();
  }

  /** Somebody has to look after the one that looks after the others. */
  private Duration awaitAndCheckRounds() {
    rounds.look(roundsLoop);
    return waiters.poll();
  }

  private static Dialect prepare(Opening opening) {
    Dialect dialect = Dialects.of(opening.source());
    Schema schema = new Schema(dialect, opening.tables());
    PooledConnections connections = new PooledConnections(opening.source(), dialect);
    if (opening.migrate()) {
      schema.migrate(connections);
    } else {
      schema.check(connections);
    }
    return dialect;
  }

  private Engine engine(Opening opening, Settings settings, Deployment deployment, Events events) {
    Map<Integer, Pipeline<?, ?>> byLane = new HashMap<>();
    if (settings.role().works()) {
      byLane.putAll(new Compatibility(deployment).takenOver(store.definitions()));
      for (Pipeline<?, ?> pipeline : deployment.pipelines()) {
        byLane.put(lane(pipeline.graph()), pipeline);
        pipeline.sequels().forEach(sequel -> byLane.put(lane(sequel.graph()), sequel));
      }
    }
    return new Engine(
        new Engine.Site(opening.source(), dialect, sql, this::announce, Machine.REAL),
        settings,
        codec,
        new Engine.Served(byLane, waiters),
        events);
  }

  /** Starts runs, all or none. */
  public <I, O> List<Run<O>> start(
      Pipeline<I, O> pipeline, List<? extends I> inputs, Function<? super I, RunOptions> options) {
    requireOpen();
    Starter.Batch batch = starter.batch(pipeline.graph(), lane(pipeline.graph()));
    inputs.forEach(input -> batch.add(input, options.apply(input)));
    return batch.start(store).stream()
        .map(id -> this.<O>handle(id, pipeline.graph(), pipeline.outputType()))
        .toList();
  }

  /** Starts a run in the caller's transaction. */
  public <I, O> Run<O> start(
      Connection connection, Pipeline<I, O> pipeline, I input, RunOptions options) {
    requireOpen();
    Store joined = new JdbcStore(dialect, sql, new JoinedConnection(connection));
    Graph graph = pipeline.graph();
    Integer known = lanes.get(graph.hash());
    boolean alone = dialect.hasOneWriter(); // which is the caller: no other connection may write
    int lane = known == null && alone ? joined.definitions().register(graph) : lane(graph);
    Starter.Batch batch = starter.batch(pipeline.graph(), lane);
    batch.add(input, options);
    UUID id = batch.startJoined(joined).get(0);
    return handle(id, pipeline.graph(), pipeline.outputType());
  }

  @Override
  public <R> Run<R> then(UUID upstream, Pipeline<?, R> next, RunOptions options) {
    requireOpen();
    Starter.Batch batch = starter.batch(next.graph(), lane(next.graph()));
    return linked(batch.then(store, upstream, options), next);
  }

  /** Starts a run that waits for others. */
  public <I, O> Run<O> start(
      List<UUID> upstreams, Pipeline<I, O> pipeline, I input, RunOptions options) {
    requireOpen();
    Starter.Batch batch = starter.batch(pipeline.graph(), lane(pipeline.graph()));
    return linked(batch.after(store, upstreams, input, options), pipeline);
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
    Registered newest =
        store
            .definitions()
            .newest(pipeline)
            .orElseThrow(() -> new UnknownPipelineException(pipeline));
    Starter.Batch batch = starter.batch(newest.graph(), newest.lane());
    batch.add(input, options);
    UUID id = batch.start(store).get(0);
    return handle(id, newest.graph(), TypeToken.of(Object.class));
  }

  /** A run by its id. */
  public Run<Object> run(UUID id) {
    requireOpen();
    int lane = store.runs().lane(id).orElseThrow(() -> new UnknownRunException(id));
    Graph graph = store.definitions().byLane(lane).orElseThrow().graph();
    return handle(id, graph, TypeToken.of(Object.class));
  }

  /** A run of this pipeline by its id. */
  public <O> Run<O> run(Pipeline<?, O> pipeline, UUID id) {
    requireOpen();
    RunInfo info = store.runs().find(id).orElseThrow(() -> new UnknownRunException(id));
    if (!info.pipeline().equals(pipeline.name())) {
      throw new UnknownRunException(id);
    }
    return handle(id, pipeline.graph(), pipeline.outputType());
  }

  /** The quarantine. */
  public Quarantine quarantine() {
    requireOpen();
    return new QuarantineDesk(store, this::announce);
  }

  /** What can be done to runs in somebody's name. */
  public Operator operator(String by) {
    requireOpen();
    return new RunDesk(
        by, new RunDesk.Office(store, ends, engine, starter, signals(), this::announce));
  }

  /** Where signals are taken. */
  public SignalDesk signals() {
    requireOpen();
    return new SignalDesk(store, codec, engine, this::announce);
  }

  /** The definitions with runs in flight that this code cannot go on with. */
  public List<Incompatibility> check(Deployment deployment) {
    requireOpen();
    return new Compatibility(deployment).check(store.definitions());
  }

  /** What is wrong with the database. */
  public List<Finding> doctor() {
    requireOpen();
    return new Doctor(opening.source(), dialect, opening.tables(), Doctor.Limits.DEFAULT).examine();
  }

  private <O> Run<O> handle(UUID id, Graph graph, TypeToken<O> type) {
    return new RunHandle<>(
        id, graph.output(), type, new RunHandle.Means(store.runs(), waiters, codec, this));
  }

  private int lane(Graph graph) {
    return lanes.computeIfAbsent(graph.hash(), hash -> store.definitions().register(graph));
  }

  /** Tells this process and the others that there are tasks to take. */
  private void announce() {
    if (engine != null) {
      engine.wakeClaimer();
    }
    if (bell.ask()) {
      ringLoop.wake();
    }
  }

  private Duration listen(Duration atMost) {
    if (!bell.isAudible()) {
      return Duration.ofHours(1);
    }
    Duration wait = atMost.compareTo(LONGEST_LISTEN) < 0 ? atMost : LONGEST_LISTEN;
    if (engine != null && !engine.isConnected()) {
      bell.pause(); // the pool may be too small for all, and listening is the least of it
      return wait;
    }
    if (bell.listen(wait) && engine != null) {
      engine.wakeClaimer();
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
    if (!closed) {
      closed = true;
      roundsLoop.stop();
      listenLoop.stop();
      if (engine != null) {
        bell.hush();
        ringLoop.wake();
        engine.close();
      }
      ringLoop.close(LONGEST_LISTEN);
      waitLoop.close();
      waiters.close();
      bell.close();
      store.close();
      hooks.runStop();
    }
  }
}
