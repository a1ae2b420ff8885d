package dev.standpipe.internal.engine.client;

import dev.standpipe.Deployment;
import dev.standpipe.Pipeline;
import dev.standpipe.Role;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.TypeToken;
import dev.standpipe.definition.Graph;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.error.UnknownPipelineException;
import dev.standpipe.info.EngineStats;
import dev.standpipe.internal.codec.CheckedCodec;
import dev.standpipe.internal.codec.InferredType;
import dev.standpipe.internal.codec.OwnValuesCodec;
import dev.standpipe.internal.doctor.Doctor;
import dev.standpipe.internal.engine.Engine;
import dev.standpipe.internal.engine.Hooks;
import dev.standpipe.internal.engine.Settings;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.lease.ConnectRetry;
import dev.standpipe.internal.engine.lease.EngineConnections;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.engine.operate.CompatibilityCheck;
import dev.standpipe.internal.engine.operate.QuarantineOperations;
import dev.standpipe.internal.engine.operate.RunOperations;
import dev.standpipe.internal.engine.operate.SignalOperations;
import dev.standpipe.internal.engine.outbox.Relays;
import dev.standpipe.internal.outbox.NewEvent;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.LaneGoneException;
import dev.standpipe.internal.port.Notifier;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.store.JdbcStore;
import dev.standpipe.internal.store.connection.CallConnections;
import dev.standpipe.internal.store.connection.JoinedConnection;
import dev.standpipe.internal.store.connection.PoolSize;
import dev.standpipe.internal.store.connection.PooledConnections;
import dev.standpipe.internal.store.jdbc.Capability;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.transaction.BodyTransaction;
import dev.standpipe.internal.transaction.CurrentTransaction;
import dev.standpipe.operate.Finding;
import dev.standpipe.operate.Incompatibility;
import dev.standpipe.operate.Operator;
import dev.standpipe.operate.Quarantine;
import dev.standpipe.outbox.EventOptions;
import dev.standpipe.spi.Listener;
import dev.standpipe.spi.PayloadCodec;
import java.sql.Connection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Carries out the API's calls: starts and reads runs, and has an engine if it serves pipelines. */
public final class Service implements AutoCloseable, Chaining {
  /** The topic of events that no step emits. */
  private static final String EVENTS_TOPIC = "events";

  private final CallConnections calls;
  private final Store store;
  private final Dialect dialect;
  private final Opening opening;
  private final Sql sql;
  private final PayloadCodec codec;
  private final ServiceLoops loops;
  private final Runnable announce;
  private final @Nullable Engine engine;
  private final Starter starter;
  private final RunEndListeners ends;
  private final Events events;
  private final Hooks hooks;
  private final OutageRetry outages;
  private final KnownLanes lanes;
  private final RunHandles handles;
  private volatile boolean closed;

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
    this.calls = opening.calls(dialect, outages, serves);
    this.store = new JdbcStore(dialect, sql, calls);
    this.lanes = new KnownLanes(store.definitions(), outages);
    this.codec = new CheckedCodec(new OwnValuesCodec(codec), settings.maxValueBytes());
    this.events = Events.toUsers(listeners);
    this.hooks = settings.hooks();
    ServiceLoops.PartMakers parts = parts(settings, deployment, serves);
    this.loops = new ServiceLoops(parts, settings, events);
    this.announce = loops::announce;
    this.engine = loops.engine();
    this.ends =
        new RunEndListeners(
            loops.waiters(), events, engine == null ? () -> {} : engine::wakeRunEndDispatcher);
    this.starter = new Starter(this.codec, engine, announce, Uuid7::next, outages);
    this.handles =
        new RunHandles(
            store.definitions(),
            new RunHandle.RunHandleDeps(
                store.runQueries(), loops.waiters(), this.codec, this, outages));
  }

  private ServiceLoops.PartMakers parts(Settings settings, Deployment deployment, boolean serves) {
    int poolSize = serves ? PoolSize.of(opening.source()) : 0;
    PooledConnections pool = new PooledConnections(opening.source(), dialect);
    return new ServiceLoops.PartMakers(
        wake ->
            new EngineConnections(opening.source(), dialect, sql, settings.lease(), poolSize, wake),
        connections -> notifier(pool, connections),
        new JdbcStore(dialect, sql, pool).runQueries(),
        (connections, announce, waiters) ->
            serves
                ? new Engine(
                    new Engine.Site(
                        connections, announce, Machine.REAL, opening.transactions(dialect, sql)),
                    settings,
                    codec,
                    new Engine.Served(
                        served(settings, deployment), deployment.schedules(), waiters),
                    events)
                : null,
        calls::tend,
        new Relays(
            deployment.sinks(),
            new JdbcStore(dialect, sql, pool).outbox(),
            settings.pollInterval(),
            events));
  }

  private Notifier notifier(PooledConnections pool, EngineConnections connections) {
    return opening.notifications()
        ? dialect.notifier(pool, connections.listening(), opening.tables())
        : Notifier.SILENT;
  }

  private Map<Integer, Pipeline<?, ?>> served(Settings settings, Deployment deployment) {
    Map<Integer, Pipeline<?, ?>> byLane = new HashMap<>();
    if (settings.role().works()) {
      byLane.putAll(new CompatibilityCheck(deployment).takenOver(store.definitions()));
      for (Pipeline<?, ?> pipeline : deployment.pipelines()) {
        byLane.put(lanes.of(pipeline.graph()), pipeline);
        pipeline
            .endCallbacks()
            .forEach(endCallback -> byLane.put(lanes.of(endCallback.graph()), endCallback));
      }
    }
    return byLane;
  }

  /** Reaches the database, makes or checks the tables, and starts what is to run. */
  public static Service open(
      Opening opening,
      Settings settings,
      PayloadCodec codec,
      List<Listener> listeners,
      Deployment deployment) {
    Dialect dialect = ConnectRetry.within(opening.timeout(), opening::prepare);
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

  private Service begun() {
    try {
      loops.start();
      return this;
    } catch (RuntimeException | Error e) { // no connection, or no thread to be had
      stop();
      throw e;
    }
  }

  /** Starts runs, all or none. */
  public <I, O> List<Run<O>> start(
      Pipeline<I, O> pipeline, List<? extends I> inputs, Function<? super I, RunOptions> options) {
    requireOpen();
    inputs.forEach(input -> requireInput(pipeline, input));
    Optional<BodyTransaction> body = CurrentTransaction.at(opening.place());
    if (body.isPresent()) {
      return startJoined(body.get(), pipeline, inputs, options);
    }
    Starter.StartBatch batch = starter.batch(pipeline, lanes.of(pipeline.graph()));
    inputs.forEach(input -> batch.add(input, given(options.apply(input))));
    List<UUID> ids = lanes.startIn(pipeline.graph(), lane -> batch.in(lane).start(store));
    return handles.started(ids, pipeline);
  }

  /** Starts runs in the transaction of the body that calls: other processes hear of them after. */
  private <I, O> List<Run<O>> startJoined(
      BodyTransaction body,
      Pipeline<I, O> pipeline,
      List<? extends I> inputs,
      Function<? super I, RunOptions> options) {
    Store joined = body.store();
    List<UUID> ids =
        startIn(
            joined,
            pipeline.graph(),
            lane -> {
              Starter.StartBatch batch = starterIn(body).batch(pipeline, lane);
              inputs.forEach(input -> batch.add(input, given(options.apply(input))));
              return batch.startJoined(joined);
            });
    return handles.started(ids, pipeline);
  }

  private Starter starterIn(BodyTransaction body) {
    return new Starter(codec, engine, () -> body.afterCommit(announce), Uuid7::next);
  }

  /** Starts a run in the caller's transaction. */
  public <I, O> Run<O> start(
      Connection connection, Pipeline<I, O> pipeline, I input, RunOptions options) {
    requireOpen();
    requireInput(pipeline, input);
    Arguments.require(
        connection != null, "Give the connection whose transaction the run is to join");
    Store joined = new JdbcStore(dialect, sql, new JoinedConnection(connection));
    List<UUID> ids =
        startIn(
            joined,
            pipeline.graph(),
            lane -> {
              Starter.StartBatch batch = starter.batch(pipeline, lane);
              batch.add(input, given(options));
              return batch.startJoined(joined);
            });
    return handles.started(ids, pipeline).get(0);
  }

  /** If there is one writer, it is the caller: no other connection may write. */
  private <T> T startIn(Store joined, Graph graph, IntFunction<T> start) {
    boolean alone = !dialect.has(Capability.MANY_WRITERS);
    int lane =
        alone && !lanes.isKnown(graph) ? joined.definitions().register(graph) : lanes.of(graph);
    try {
      return start.apply(lane);
    } catch (LaneGoneException e) {
      lanes.forget(graph);
      return start.apply(alone ? joined.definitions().register(graph) : lanes.of(graph));
    }
  }

  /** Emits an event in the caller's transaction. */
  public UUID emit(
      Connection connection, String type, @Nullable Object payload, EventOptions options) {
    requireOpen();
    Arguments.require(
        connection != null, "Give the connection whose transaction the event is to join");
    Arguments.require(
        options.subject().isPresent(),
        "Say what the event is about: EventOptions.subject(...) keeps its events in order");
    String text = codec.encode(payload, InferredType.of(payload));
    String subject = options.subject().orElseThrow();
    NewEvent event = NewEvent.of(starter.freshId(), type, text, options, subject, EVENTS_TOPIC);
    Store joined = new JdbcStore(dialect, sql, new JoinedConnection(connection));
    UUID id = joined.outbox().add(event);
    loops.announce();
    return id;
  }

  @Override
  public <R> Run<R> then(UUID upstream, Pipeline<?, R> next, RunOptions options) {
    requireOpen();
    RunOptions chosen = given(options);
    Optional<BodyTransaction> body = CurrentTransaction.at(opening.place());
    if (body.isPresent()) {
      Store joined = body.get().store();
      return linkedIn(
          body.get(),
          startIn(
              joined,
              next.graph(),
              lane -> starterIn(body.get()).batch(next, lane).then(joined, upstream, chosen)),
          next);
    }
    Starter.StartBatch batch = starter.batch(next, lanes.of(next.graph()));
    return linked(
        lanes.startIn(next.graph(), lane -> batch.in(lane).then(store, upstream, chosen)), next);
  }

  /** Starts a run that waits for others. */
  public <I, O> Run<O> start(
      List<UUID> upstreams, Pipeline<I, O> pipeline, I input, RunOptions options) {
    requireOpen();
    requireInput(pipeline, input);
    RunOptions chosen = given(options);
    Optional<BodyTransaction> body = CurrentTransaction.at(opening.place());
    if (body.isPresent()) {
      Store joined = body.get().store();
      return linkedIn(
          body.get(),
          startIn(
              joined,
              pipeline.graph(),
              lane ->
                  starterIn(body.get())
                      .batch(pipeline, lane)
                      .after(joined, upstreams, input, chosen)),
          pipeline);
    }
    Starter.StartBatch batch = starter.batch(pipeline, lanes.of(pipeline.graph()));
    return linked(
        lanes.startIn(
            pipeline.graph(), lane -> batch.in(lane).after(store, upstreams, input, chosen)),
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
      ends.ended(store.runQueries(), linked.run());
      ends.followUp();
    }
    return handles.of(linked.run(), pipeline.graph(), pipeline.outputType());
  }

  private <O> Run<O> linkedIn(
      BodyTransaction body, Starter.Linked linked, Pipeline<?, O> pipeline) {
    if (linked.skipped()) {
      body.afterCommit(ends::followUp);
    }
    return handles.of(linked.run(), pipeline.graph(), pipeline.outputType());
  }

  /** Starts a run of a pipeline known by name. */
  public Run<Object> start(String pipeline, Object input, RunOptions options) {
    requireOpen();
    Arguments.require(pipeline != null, "Give the name of the pipeline to start");
    Registered newest =
        outages
            .reading(() -> store.definitions().newest(pipeline))
            .orElseThrow(() -> new UnknownPipelineException(pipeline));
    Optional<BodyTransaction> body = CurrentTransaction.at(opening.place());
    Starter.StartBatch batch = body.map(this::starterIn).orElse(starter).batch(newest);
    batch.add(input, given(options));
    UUID id =
        body.isPresent() ? batch.startJoined(body.get().store()).get(0) : batch.start(store).get(0);
    return handles.of(id, newest.graph(), TypeToken.of(Object.class));
  }

  /** A run by its id. */
  public Run<Object> run(UUID id) {
    requireOpen();
    return handles.find(id);
  }

  /** A run of this pipeline by its id. */
  public <O> Run<O> run(Pipeline<?, O> pipeline, UUID id) {
    requireOpen();
    return handles.find(pipeline, id);
  }

  /** A run by its pipeline's name and its key. */
  public Optional<Run<Object>> run(String pipeline, String key) {
    requireOpen();
    return handles.find(pipeline, key);
  }

  /** A run of this pipeline by its key. */
  public <O> Optional<Run<O>> run(Pipeline<?, O> pipeline, String key) {
    requireOpen();
    return handles.find(pipeline, key);
  }

  /** The quarantine. */
  public Quarantine quarantine() {
    requireOpen();
    requireNotAlone();
    return ApiBoundary.around(Quarantine.class, new QuarantineOperations(store, announce));
  }

  /** The actions on runs, in the name of a person or a program. */
  public Operator operator(String by) {
    requireOpen();
    requireNotAlone();
    RunOperations.OperationDeps deps =
        new RunOperations.OperationDeps(store, ends, engine, starter, signals(), announce);
    return ApiBoundary.around(Operator.class, new RunOperations(by, deps));
  }

  /** Where signals are taken. */
  public SignalOperations signals() {
    requireOpen();
    return CurrentTransaction.at(opening.place())
        .map(this::signalsIn)
        .orElseGet(() -> new SignalOperations(store, codec, engine, announce));
  }

  private SignalOperations signalsIn(BodyTransaction body) {
    return new SignalOperations(body.store(), codec, engine, () -> body.afterCommit(announce));
  }

  /** Where there is one writer, a call that writes would wait for the body that makes it. */
  private void requireNotAlone() {
    boolean alone = !dialect.has(Capability.MANY_WRITERS);
    if (alone
        && CurrentTransaction.at(opening.place()).filter(BodyTransaction::isOpen).isPresent()) {
      throw new StandpipeException(
          ErrorCode.INVALID_ARGUMENT,
          "This body is the only writer of the database until it returns, and what operators do is"
              + " written outside of its transaction: do it in another step");
    }
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

  /** What this process does at this moment. */
  public EngineStats stats() {
    requireOpen();
    int awaited = loops.waiters().size();
    return engine == null ? EngineStats.ofClient(awaited) : engine.stats(awaited);
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
    loops.stop();
    store.close();
    events.close();
  }
}
