package dev.standpipe;

import dev.standpipe.definition.GraphChange;
import dev.standpipe.error.DuplicatePipelineException;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.Required;
import dev.standpipe.internal.codec.JacksonCodec;
import dev.standpipe.internal.define.NodeOptions;
import dev.standpipe.internal.define.StorableTypes;
import dev.standpipe.internal.engine.Hooks;
import dev.standpipe.internal.engine.Settings;
import dev.standpipe.internal.engine.client.Opening;
import dev.standpipe.internal.engine.client.Service;
import dev.standpipe.internal.outbox.EventWords;
import dev.standpipe.internal.port.Processes;
import dev.standpipe.internal.store.connection.DirectSource;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.outbox.Sink;
import dev.standpipe.schedule.Schedule;
import dev.standpipe.spi.Listener;
import dev.standpipe.spi.PayloadCodec;
import dev.standpipe.spi.TransactionBridge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** Sets up a {@link Standpipe}. Not thread-safe. */
public final class StandpipeBuilder {
  /** For settings that may be as long as one likes: more than any process lives. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final DataSource source;
  private final Map<String, Pipeline<?, ?>> pipelines = new LinkedHashMap<>();
  private final List<TakeOver> takeOvers = new ArrayList<>();
  private final Map<String, Schedule<?>> schedules = new LinkedHashMap<>();
  private final Map<String, Sink> sinks = new LinkedHashMap<>();
  private final List<Listener> listeners = new ArrayList<>();
  private final List<Runnable> startHooks = new ArrayList<>();
  private final List<Runnable> stopHooks = new ArrayList<>();
  private String name = "standpipe-" + ProcessHandle.current().pid();
  private int concurrency = Math.max(16, 4 * Runtime.getRuntime().availableProcessors());
  private Duration lease = Duration.ofSeconds(15);
  private Duration pollInterval = Duration.ofMillis(200);
  private Duration grace = Duration.ofSeconds(20);
  private Duration connectTimeout = Duration.ofMinutes(2);
  private Duration outageTolerance = Duration.ofMinutes(1);
  private int maxBatch = 200;
  private int maxValueBytes = 1 << 20;
  private int crashLimit = Processes.CRASH_LIMIT;
  private Role role = Role.ALL;
  private boolean migrate = true;
  private boolean notifications = true;
  private Optional<String> schema = Optional.empty();
  private String tablePrefix = "standpipe_";
  private PayloadCodec codec = new JacksonCodec();
  private Optional<TransactionBridge> bridge = Optional.empty();

  StandpipeBuilder(DataSource source) {
    this.source = DirectSource.of(source);
  }

  /**
   * Serves these pipelines, and those they call: this process runs their steps. A Standpipe that
   * serves nothing is a client: it starts runs and reads them.
   */
  public StandpipeBuilder serve(Pipeline<?, ?>... more) {
    for (Pipeline<?, ?> pipeline : Required.given(more, "array of pipelines")) {
      Required.given(pipeline, "pipeline");
      Pipeline<?, ?> before = pipelines.putIfAbsent(pipeline.name(), pipeline);
      if (before != null && before != pipeline) {
        GraphChange change = new GraphChange(before.graph(), pipeline.graph(), Map.of());
        boolean same = before.graph().equals(pipeline.graph());
        throw new DuplicatePipelineException(pipeline.name(), same, change.problems());
      }
      serve(pipeline.called().toArray(Pipeline<?, ?>[]::new));
    }
    return this;
  }

  /**
   * Serves these pipelines and goes on with the runs of their older definitions, as far as the code
   * can; {@link Standpipe#check} tells of the others.
   */
  public StandpipeBuilder takeOver(TakeOver... more) {
    for (TakeOver takeOver : Required.given(more, "array of take-overs")) {
      serve(Required.given(takeOver, "take-over").pipeline());
      takeOvers.add(takeOver);
    }
    return this;
  }

  /**
   * Declares these schedules and serves their pipelines: this process starts their runs when their
   * time has come, as every other that declares them.
   */
  public StandpipeBuilder schedule(Schedule<?>... more) {
    for (Schedule<?> schedule : Required.given(more, "array of schedules")) {
      Required.given(schedule, "schedule");
      Schedule<?> before = schedules.putIfAbsent(schedule.name(), schedule);
      if (before != null && before != schedule) {
        throw new StandpipeException(
            ErrorCode.INVALID_SETTING,
            "Two schedules are called \"%s\": give one of them another name"
                .formatted(schedule.name()));
      }
      serve(schedule.pipeline());
    }
    return this;
  }

  /**
   * Publishes events to these sinks: this process relays events to them, as every other that
   * declares them. A sink gets every event that is emitted once it is known here.
   */
  public StandpipeBuilder sink(Sink... more) {
    for (Sink sink : Required.given(more, "array of sinks")) {
      String called = EventWords.requireSink(Required.given(sink, "sink").name());
      Required.given(sink.policy(), "policy of the sink");
      Sink before = sinks.putIfAbsent(called, sink);
      require(
          before == null || before.equals(sink), "name of a sink", called, "that of one sink only");
    }
    return this;
  }

  /** Serves what a deployment does, and takes over what it does. */
  public StandpipeBuilder serve(Deployment deployment) {
    Required.given(deployment, "deployment");
    return serve(deployment.pipelines().toArray(Pipeline<?, ?>[]::new))
        .takeOver(deployment.takeOvers().toArray(TakeOver[]::new))
        .schedule(deployment.schedules().toArray(Schedule<?>[]::new))
        .sink(deployment.sinks().toArray(Sink[]::new));
  }

  /** What people call this process; {@code standpipe-<pid>} by default. */
  public StandpipeBuilder name(String name) {
    this.name = Required.given(name, "name");
    return this;
  }

  /** How many step bodies run at once; 16 or four per processor, whichever is more, by default. */
  public StandpipeBuilder concurrency(int bodies) {
    require(bodies >= 1 && bodies <= 100_000, "concurrency", bodies, "1 to 100000");
    this.concurrency = bodies;
    return this;
  }

  /**
   * How long the database waits for a sign of life of this process before others take its steps; 15
   * seconds by default. Shorter recovers sooner, and tolerates shorter pauses.
   */
  public StandpipeBuilder lease(Duration lease) {
    require(
        Required.given(lease, "lease").compareTo(Duration.ofMillis(200)) >= 0
            && lease.compareTo(Duration.ofHours(1)) <= 0,
        "lease",
        lease,
        "200 ms to 1 hour");
    this.lease = lease;
    return this;
  }

  /**
   * How long a process waits before it looks for work again; 200 ms by default. One that is idle
   * and is told of work by notifications looks less often.
   */
  public StandpipeBuilder pollInterval(Duration interval) {
    require(
        Required.given(interval, "poll interval").compareTo(Duration.ofMillis(1)) >= 0
            && interval.compareTo(Duration.ofMinutes(1)) <= 0,
        "poll interval",
        interval,
        "1 ms to 1 minute");
    this.pollInterval = interval;
    return this;
  }

  /** How long bodies may go on after {@link Standpipe#close} has begun; 20 seconds by default. */
  public StandpipeBuilder grace(Duration grace) {
    require(!Required.given(grace, "grace").isNegative(), "grace", grace, "zero or more");
    this.grace = shorter(grace, LONGEST);
    return this;
  }

  /**
   * How long to keep trying to reach the database at the start; 2 minutes by default, which a
   * failover takes less than. A user, a password or a database that is refused fails at once.
   */
  public StandpipeBuilder connectTimeout(Duration timeout) {
    require(
        !Required.given(timeout, "connect timeout").isNegative(),
        "connect timeout",
        timeout,
        "zero or more");
    this.connectTimeout = shorter(timeout, LONGEST);
    return this;
  }

  /**
   * How long a call waits while the database is away, instead of failing; a minute by default. A
   * start whose reply was lost is looked for before it is sent again. What would not be safe to
   * repeat, such as a cancel whose reply was lost, fails.
   */
  public StandpipeBuilder outageTolerance(Duration tolerance) {
    require(
        !Required.given(tolerance, "outage tolerance").isNegative(),
        "outage tolerance",
        tolerance,
        "zero or more");
    this.outageTolerance = shorter(tolerance, LONGEST);
    return this;
  }

  /** How many finished steps one commit carries at most; 200 by default. */
  public StandpipeBuilder maxBatch(int steps) {
    require(steps >= 1 && steps <= 10_000, "max batch", steps, "1 to 10000");
    this.maxBatch = steps;
    return this;
  }

  /** How large one encoded value may be; 1 MiB by default. */
  public StandpipeBuilder maxValueBytes(int bytes) {
    require(bytes >= 16 && bytes <= 512 << 20, "max value bytes", bytes, "16 to 512 MiB");
    this.maxValueBytes = bytes;
    return this;
  }

  /**
   * How many processes may die running one step before the step is quarantined and its run halted;
   * 10 by default. A single step may have {@link Node#crashLimit its own}.
   */
  public StandpipeBuilder crashLimit(int most) {
    require(
        most >= NodeOptions.FEWEST_CRASHES && most <= NodeOptions.MOST_CRASHES,
        "crash limit",
        most,
        "3 to 1000");
    this.crashLimit = most;
    return this;
  }

  /** Whether to make and upgrade the tables; {@code true} by default. Otherwise checks them. */
  public StandpipeBuilder migrate(boolean migrate) {
    this.migrate = migrate;
    return this;
  }

  /** Whether processes wake each other through the database where it can; by default they do. */
  public StandpipeBuilder notifications(boolean notifications) {
    this.notifications = notifications;
    return this;
  }

  /** The schema of the tables; by default the connection's own. */
  public StandpipeBuilder schema(String schema) {
    this.schema = Optional.of(Required.given(schema, "schema"));
    return this;
  }

  /** What the tables' names start with; {@code standpipe_} by default. */
  public StandpipeBuilder tablePrefix(String prefix) {
    this.tablePrefix = Required.given(prefix, "table prefix");
    return this;
  }

  /** How values become text; JSON through Jackson by default. */
  public StandpipeBuilder codec(PayloadCodec codec) {
    this.codec = Required.given(codec, "codec");
    return this;
  }

  /**
   * What opens the transactions of transactional steps, so that a framework takes part in them; by
   * default they are on connections of the {@code DataSource} given to {@link Standpipe#on}. The
   * bridge's must be on the same database.
   */
  public StandpipeBuilder transactions(TransactionBridge bridge) {
    this.bridge = Optional.of(Required.given(bridge, "transaction bridge"));
    return this;
  }

  /** Adds one that hears what happens in this process. */
  public StandpipeBuilder listener(Listener listener) {
    listeners.add(Required.given(listener, "listener"));
    return this;
  }

  /** Which part of the work this process does; {@link Role#ALL} by default. */
  public StandpipeBuilder role(Role role) {
    this.role = Required.given(role, "role");
    return this;
  }

  /**
   * Adds something to do once the database is reached and before the first step is taken. If it
   * throws, {@link Standpipe#start()} does.
   */
  public StandpipeBuilder onStart(Runnable hook) {
    startHooks.add(Required.given(hook, "hook"));
    return this;
  }

  /**
   * Adds something to do when this process has stopped and no step is left here: the last added
   * first, each whether or not another has thrown.
   */
  public StandpipeBuilder onStop(Runnable hook) {
    stopHooks.add(0, Required.given(hook, "hook"));
    return this;
  }

  /**
   * Connects, makes the tables if need be, and starts to work: {@link #build} and {@link
   * Standpipe#start()} at once.
   *
   * @throws StandpipeException with {@code DATABASE_UNREACHABLE} if the database cannot be reached
   *     in time, or {@code SCHEMA_MISMATCH} if its tables do not fit
   */
  public Standpipe start() {
    return build().start();
  }

  /**
   * Checks the settings and leaves the database alone until {@link Standpipe#start()}: for
   * frameworks that make their objects first and start them later. Settings made here afterwards
   * change nothing.
   */
  public Standpipe build() {
    Tables tables = new Tables(schema, tablePrefix);
    Settings settings =
        new Settings(
            name,
            concurrency,
            lease,
            pollInterval,
            grace,
            maxBatch,
            maxValueBytes,
            crashLimit,
            role,
            new Hooks(List.copyOf(startHooks), List.copyOf(stopHooks)));
    Opening opening =
        new Opening(
            source, tables, connectTimeout, migrate, notifications, outageTolerance, bridge);
    Deployment deployment = deployment();
    PayloadCodec chosen = codec;
    List<Listener> heard = List.copyOf(listeners);
    StorableTypes.require(deployment.pipelines(), chosen);
    return new Standpipe(() -> Service.open(opening, settings, chosen, heard, deployment));
  }

  private Deployment deployment() {
    List<Pipeline<?, ?>> served = List.copyOf(pipelines.values());
    List<TakeOver> taken = List.copyOf(takeOvers);
    List<Schedule<?>> declared = List.copyOf(schedules.values());
    List<Sink> published = List.copyOf(sinks.values());
    return new Deployment() {
      @Override
      public List<Pipeline<?, ?>> pipelines() {
        return served;
      }

      @Override
      public List<TakeOver> takeOvers() {
        return taken;
      }

      @Override
      public List<Schedule<?>> schedules() {
        return declared;
      }

      @Override
      public List<Sink> sinks() {
        return published;
      }
    };
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static void require(boolean holds, String what, Object value, String allowed) {
    if (!holds) {
      throw new StandpipeException(
          ErrorCode.INVALID_SETTING, "The %s must be %s, was %s".formatted(what, allowed, value));
    }
  }
}
