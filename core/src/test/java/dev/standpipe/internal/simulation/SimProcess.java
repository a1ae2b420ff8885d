package dev.standpipe.internal.simulation;

import dev.standpipe.EffectBody;
import dev.standpipe.Flow;
import dev.standpipe.Loop;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Role;
import dev.standpipe.StepBody;
import dev.standpipe.StepContext;
import dev.standpipe.TransactionalBody;
import dev.standpipe.definition.Strategy;
import dev.standpipe.internal.codec.JacksonCodec;
import dev.standpipe.internal.coordinate.Model.Step;
import dev.standpipe.internal.coordinate.RandomGraph;
import dev.standpipe.internal.engine.Engine;
import dev.standpipe.internal.engine.Hooks;
import dev.standpipe.internal.engine.Settings;
import dev.standpipe.internal.engine.client.RunEndListeners;
import dev.standpipe.internal.engine.client.RunWaiters;
import dev.standpipe.internal.engine.client.Starter;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.lease.EngineConnections;
import dev.standpipe.internal.engine.lease.ProcessLease;
import dev.standpipe.internal.engine.loop.Duty;
import dev.standpipe.internal.engine.operate.RunOperations;
import dev.standpipe.internal.engine.operate.SignalOperations;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.store.JdbcStore;
import dev.standpipe.internal.store.connection.OwnedConnection;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.internal.store.sqlite.SqliteDialect;
import dev.standpipe.internal.store.transaction.SourceTransactions;
import dev.standpipe.internal.store.transaction.TransactionPlace;
import dev.standpipe.internal.transaction.StepTransactions;
import dev.standpipe.operate.Operator;
import dev.standpipe.schedule.Schedule;
import dev.standpipe.spi.PayloadCodec;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * One process: a whole engine whose loops are never started. Each is stepped from outside, one pass
 * at a time, and so are its bodies.
 */
final class SimProcess {
  static final Duration LEASE = Duration.ofSeconds(10);
  private static final SqliteDialect DIALECT = new SqliteDialect();
  private static final Sql SQL = new Sql("sqlite", Tables.DEFAULT);
  private static final PayloadCodec CODEC = new JacksonCodec();

  final String name;
  final SimMachine machine;
  final SimLink link;
  final Engine engine;
  final List<Duty> duties;
  boolean dead;
  int frozenFor;

  private final Simulation simulation;
  private final Store store;
  private final RunEndListeners ends;

  SimProcess(String name, Simulation simulation, RandomGenerator ids) {
    this.name = name;
    this.simulation = simulation;
    this.machine = new SimMachine(simulation.time(), ids);
    this.machine.whileWaiting(reply -> simulation.whileWaiting(this, reply));
    this.link = new SimLink(simulation.database(), simulation::trace);
    this.store = new JdbcStore(DIALECT, SQL, new OwnedConnection(link.dataSource(), DIALECT));
    Map<Integer, Pipeline<?, ?>> served = new HashMap<>();
    for (SimFlow flow : simulation.flows()) {
      Pipeline<?, ?> pipeline = flow.wire(new Bodies(flow)).pipeline();
      served.put(store.definitions().register(pipeline.graph()), pipeline);
      pipeline
          .endCallbacks()
          .forEach(
              endCallback ->
                  served.put(store.definitions().register(endCallback.graph()), endCallback));
      pipeline
          .called()
          .forEach(called -> served.put(store.definitions().register(called.graph()), called));
    }
    List<Schedule<?>> schedules =
        simulation.schedule().declared((at, ctx) -> simulation.tick(this, at, ctx));
    for (Schedule<?> schedule : schedules) {
      Pipeline<?, ?> scheduled = schedule.pipeline();
      served.put(store.definitions().register(scheduled.graph()), scheduled);
    }
    Settings settings =
        new Settings(
            name,
            2,
            LEASE,
            Duration.ofSeconds(1),
            Duration.ZERO,
            3,
            1 << 20,
            1_000,
            Role.ALL,
            new Hooks(List.of(), List.of()));
    RunWaiters waiters = new RunWaiters(store.runQueries(), LEASE, () -> {});
    Events events = new Events(List.of(event -> simulation.heard(this, event)));
    StepTransactions source =
        new SourceTransactions(
            new TransactionPlace(link.dataSource(), Tables.DEFAULT), DIALECT, SQL);
    this.engine =
        new Engine(
            new Engine.Site(
                new EngineConnections(link.dataSource(), DIALECT, SQL, LEASE, 3, () -> {}),
                () -> {},
                machine,
                simulation.database().transactions(source)),
            settings,
            CODEC,
            new Engine.Served(served, schedules, waiters),
            events);
    this.ends = new RunEndListeners(waiters, events, engine::wakeRunEndDispatcher);
    this.engine.join();
    this.duties =
        Stream.concat(
                engine.loops().stream().flatMap(loop -> loop.duties().stream()),
                Stream.concat(
                    engine.watchDuties().stream(),
                    Stream.of(simulation.outbox().relay(this, events))))
            .toList();
  }

  /** A way to start runs: by its own engine, or as a client that serves nothing. */
  Starter.StartBatch batch(Pipeline<?, ?> pipeline, boolean serving, Supplier<UUID> ids) {
    Starter starter = new Starter(CODEC, serving ? engine : null, () -> {}, ids);
    return starter.batch(pipeline, store.definitions().register(pipeline.graph()));
  }

  /** What an operator can do through this process. */
  Operator operator() {
    Starter starter = new Starter(CODEC, null, () -> {}, simulation::runId);
    return new RunOperations(
        "ann", new RunOperations.OperationDeps(store, ends, engine, starter, signals(), () -> {}));
  }

  /** Where signals are taken through this process. */
  SignalOperations signals() {
    return new SignalOperations(store, CODEC, engine, () -> {});
  }

  Store store() {
    return store;
  }

  boolean canAct() {
    return !dead && frozenFor == 0;
  }

  void die() {
    dead = true;
    link.cut();
  }

  /** Whether its lease is to be trusted, by its own clock, under this id. */
  boolean trustsItself(UUID id) {
    ProcessLease lease = engine.processState().lease();
    return !dead && lease.id().equals(id) && lease.isTrusted();
  }

  private final class Bodies implements RandomGraph.Bodies {
    private final SimFlow flow;

    Bodies(SimFlow flow) {
      this.flow = flow;
    }

    @Override
    public String value(List<String> inputs, StepContext ctx) throws Exception {
      live(ctx);
      return SimFlow.value(new Step(ctx.node(), ctx.index()), inputs);
    }

    /** It writes last: nobody else can write from there to the commit. */
    @Override
    public <T> StepBody<T, String> body(String key, StepBody<T, String> code) {
      TransactionalBody<T, String> writing =
          (input, tx) -> {
            String value = code.run(input, tx);
            SimDatabase.writeRow(tx);
            return value;
          };
      return flow.letWrite(key) ? writing : code;
    }

    @Override
    public Loop<String, String> turn(String state, StepContext ctx) throws Exception {
      live(ctx);
      Step step = new Step(ctx.node(), ctx.index());
      if (ctx.turn() > SimFlow.turns(step)) {
        return Loop.done(SimFlow.value(step, Collections.singletonList(state)));
      }
      return Loop.again(SimFlow.state(step, ctx.turn(), state)).after(flow.pause(step, ctx.turn()));
    }

    @Override
    public List<String> elements(String input, int count, StepContext ctx) throws Exception {
      live(ctx);
      return SimFlow.elements(ctx.node(), input, count);
    }

    @Override
    public String arm(String arm, StepContext ctx) throws Exception {
      live(ctx);
      return arm;
    }

    @Override
    public void follow(Flow<String> flow) {
      this.flow.follow(flow, (end, ctx) -> live(ctx));
    }

    @Override
    public Optional<EffectBody<String>> compensation(String key) {
      return flow.compensates(key)
          ? Optional.of(
              (value, ctx) -> {
                live(ctx);
                simulation.undone(ctx.runId(), value);
              })
          : Optional.empty();
    }

    @Override
    public Retry retry(String key) {
      return flow.retry(key);
    }

    @Override
    public Strategy strategy() {
      return flow.strategy();
    }

    @Override
    public boolean goesOn() {
      return flow.goesOn();
    }

    @Override
    public Optional<Strategy> strategy(String key) {
      return flow.strategy(key);
    }

    @Override
    public Duration delay(String key) {
      return flow.delay(key);
    }

    @Override
    public String called(String input, StepContext ctx) throws Exception {
      live(ctx);
      return SimFlow.called(input);
    }

    @Override
    public Duration within(String key) {
      return flow.within(key);
    }

    private void live(StepContext ctx) throws Exception {
      simulation.body(SimProcess.this, flow, ctx);
    }
  }
}
