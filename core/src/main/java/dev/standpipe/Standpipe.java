package dev.standpipe;

import dev.standpipe.error.DuplicateKeyException;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.error.RunEndedException;
import dev.standpipe.error.SignalRefusedException;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.error.UnknownPipelineException;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.error.UnknownSignalException;
import dev.standpipe.info.EngineStats;
import dev.standpipe.internal.Required;
import dev.standpipe.internal.Requirements;
import dev.standpipe.internal.engine.client.ApiBoundary;
import dev.standpipe.internal.engine.client.Service;
import dev.standpipe.operate.Finding;
import dev.standpipe.operate.Incompatibility;
import dev.standpipe.operate.Operator;
import dev.standpipe.operate.Quarantine;
import dev.standpipe.outbox.EventOptions;
import java.sql.Connection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Standpipe on one database: starts runs, reads them and, if it serves pipelines, works on them.
 * Thread-safe; make one per program and close it at the end.
 *
 * <pre>{@code
 * try (Standpipe standpipe = Standpipe.on(dataSource).serve(fulfil).start()) {
 *   Run<Receipt> run = standpipe.start(fulfil, order, RunOptions.key("order-17"));
 *   Receipt receipt = run.await(Duration.ofMinutes(5));
 * }
 * }</pre>
 */
public final class Standpipe implements AutoCloseable {
  private final Supplier<Service> opening;
  private final ReentrantLock starting = new ReentrantLock();
  private volatile @Nullable Service opened;
  private volatile boolean closed;

  Standpipe(Supplier<Service> opening) {
    this.opening = opening;
  }

  /** Begins to set up Standpipe on this database. */
  public static StandpipeBuilder on(DataSource dataSource) {
    Requirements.check();
    return new StandpipeBuilder(Required.given(dataSource, "DataSource"));
  }

  /**
   * Connects, makes the tables if need be, and starts to work, if {@link StandpipeBuilder#build}
   * made this; otherwise that has happened, and nothing changes. One that fails may be called
   * again.
   *
   * @throws StandpipeException with {@code DATABASE_UNREACHABLE} if the database cannot be reached
   *     in time, {@code SCHEMA_MISMATCH} if its tables do not fit, or {@code CLOSED}
   */
  public Standpipe start() {
    starting.lock();
    try {
      if (closed) {
        throw new StandpipeException(
            ErrorCode.CLOSED, "This Standpipe is closed and cannot be started: build a new one");
      }
      if (opened == null) {
        opened = ApiBoundary.call(opening);
      }
      return this;
    } finally {
      starting.unlock();
    }
  }

  /** Whether it was started and is not closed. */
  public boolean isStarted() {
    return opened != null && !closed;
  }

  private Service service() {
    Service service = opened;
    if (service != null) {
      return service;
    }
    throw closed
        ? new StandpipeException(ErrorCode.CLOSED, "This Standpipe is closed: build a new one")
        : new StandpipeException(
            ErrorCode.NOT_STARTED,
            "This Standpipe was built and not started: call start() before anything else");
  }

  /** Starts a run. When this returns, the run is committed and will reach its end. */
  public <I, O> Run<O> start(Pipeline<I, O> pipeline, I input) {
    return start(pipeline, input, RunOptions.none());
  }

  /**
   * Starts a run. When this returns, the run is committed and will reach its end.
   *
   * @throws DuplicateKeyException if the options' key belongs to a run with another input
   */
  public <I, O> Run<O> start(Pipeline<I, O> pipeline, I input, RunOptions options) {
    List<I> one = Collections.singletonList(input); // which may be null, and is then refused
    return ApiBoundary.call(() -> service().start(pipeline, one, in -> options).get(0));
  }

  /**
   * Starts a run as part of the caller's own transaction on this connection: it exists if, and only
   * if, the caller commits.
   *
   * @throws StandpipeException with {@code INVALID_ARGUMENT} if the connection is in auto-commit
   *     mode: there is no transaction to be part of
   */
  public <I, O> Run<O> start(
      Connection connection, Pipeline<I, O> pipeline, I input, RunOptions options) {
    return ApiBoundary.call(() -> service().start(connection, pipeline, input, options));
  }

  /**
   * Emits an event as part of the caller's own transaction on this connection: it is published if,
   * and only if, the caller commits.
   *
   * @param type what happened, such as {@code order.placed}
   * @param payload what to tell of it
   * @param options at least its subject
   * @return the event's id, or that of the event that has its dedupe key
   * @throws InvalidValueException if the payload cannot be written
   * @throws StandpipeException with {@code INVALID_ARGUMENT} if the connection is in auto-commit
   *     mode, or the options have no subject
   */
  public UUID emit(
      Connection connection, String type, @Nullable Object payload, EventOptions options) {
    ApiBoundary.given(options, "options of the event");
    return ApiBoundary.call(() -> service().emit(connection, type, payload, options));
  }

  /**
   * Starts a run of a pipeline that another process serves, by its name. Its result is read as
   * plain maps, lists, strings and numbers.
   *
   * @throws UnknownPipelineException if no process has ever served it on this database
   */
  public Run<Object> start(String pipeline, Object input, RunOptions options) {
    ApiBoundary.given(pipeline, "name of the pipeline");
    ApiBoundary.given(options, "options of the run");
    return ApiBoundary.call(() -> service().start(pipeline, input, options));
  }

  /**
   * Says for which runs others wait: {@code standpipe.after(paid, packed).start(ship, order)}. A
   * run that takes the result of one other as its input is started with {@link Run#then}.
   */
  public After after(Run<?> upstream, Run<?>... more) {
    Set<UUID> upstreams = new TreeSet<>();
    Stream.concat(Stream.of(upstream), Stream.of(more))
        .map(run -> ApiBoundary.given(run, "run to wait for").id())
        .forEach(upstreams::add);
    List<UUID> all = List.copyOf(upstreams);
    return new After() {
      @Override
      public <I, O> Run<O> start(Pipeline<I, O> pipeline, I input, RunOptions options) {
        ApiBoundary.given(pipeline, "pipeline to start");
        ApiBoundary.given(options, "options of the run");
        return ApiBoundary.call(() -> service().start(all, pipeline, input, options));
      }
    };
  }

  /** Starts many runs, all or none, far faster than one by one. */
  public <I, O> List<Run<O>> startAll(Pipeline<I, O> pipeline, List<? extends I> inputs) {
    return startAll(pipeline, inputs, input -> RunOptions.none());
  }

  /**
   * Starts many runs, all or none, each with its own options. Where a key belongs to a run with the
   * same input, that run takes its place in the list.
   *
   * @throws DuplicateKeyException if a key belongs to a run with another input; nothing is started
   */
  public <I, O> List<Run<O>> startAll(
      Pipeline<I, O> pipeline, List<? extends I> inputs, Function<? super I, RunOptions> options) {
    ApiBoundary.given(inputs, "list of inputs");
    ApiBoundary.given(options, "function that makes options");
    return ApiBoundary.call(() -> service().start(pipeline, inputs, options));
  }

  /**
   * A run by its id, its result read as plain maps, lists, strings and numbers.
   *
   * @throws UnknownRunException if there is none
   */
  public Run<Object> run(UUID id) {
    return ApiBoundary.call(() -> service().run(id));
  }

  /**
   * A run of this pipeline by its id.
   *
   * @throws UnknownRunException if there is none of this pipeline
   */
  public <O> Run<O> run(Pipeline<?, O> pipeline, UUID id) {
    return ApiBoundary.call(() -> service().run(pipeline, id));
  }

  /**
   * The run of this pipeline that was started with a key, if there is one: its result is read as
   * plain maps, lists, strings and numbers.
   */
  public Optional<Run<Object>> runByKey(String pipeline, String key) {
    ApiBoundary.given(pipeline, "pipeline");
    ApiBoundary.given(key, "key of the run");
    return ApiBoundary.call(() -> service().run(pipeline, key));
  }

  /** The run of this pipeline that was started with a key, if there is one. */
  public <O> Optional<Run<O>> runByKey(Pipeline<?, O> pipeline, String key) {
    ApiBoundary.given(pipeline, "pipeline");
    ApiBoundary.given(key, "key of the run");
    return ApiBoundary.call(() -> service().run(pipeline, key));
  }

  /**
   * Gives a run the signal it awaits, or will await, under a key. When this returns, the signal is
   * kept and the await ends with it, unless the run is stopped first.
   *
   * @param key the await's key
   * @param value the signal's value, of the await's type; checked here if this process serves the
   *     run's pipeline, and otherwise by the process that does
   * @return {@code false} if this very signal was taken already, which changes nothing
   * @throws UnknownRunException if there is no such run
   * @throws UnknownSignalException if the run has no await of this key
   * @throws SignalRefusedException if the await has another signal, has expired or was skipped
   * @throws RunEndedException if the run has ended
   * @throws InvalidValueException if the value is not of the await's type
   */
  public boolean signal(UUID run, String key, Object value) {
    return signal(run, key, value, SignalOptions.none());
  }

  /** Gives a run a signal, for one element of an expand or with a dedupe key. */
  public boolean signal(UUID run, String key, Object value, SignalOptions options) {
    ApiBoundary.given(options, "SignalOptions");
    return ApiBoundary.call(() -> service().signals().signal(run, key, value, options));
  }

  /** The steps that kept killing their process, for an operator to decide about. */
  public Quarantine quarantine() {
    return service().quarantine();
  }

  /**
   * The actions on runs, in the name of a person or a program.
   *
   * @param by who does it, for the audit
   */
  public Operator operator(String by) {
    return service().operator(ApiBoundary.given(by, "name of who does it"));
  }

  /**
   * Tells which runs in flight a program cannot go on with, and why, reading only: before it is
   * deployed, by the code that is to be. Empty if it can go on with all of them.
   */
  public List<Incompatibility> check(Deployment deployment) {
    ApiBoundary.given(deployment, "Deployment");
    return ApiBoundary.call(() -> service().check(deployment));
  }

  /**
   * Examines the database, reading only: what must never be, and what hurts. Empty if all is well.
   * It reads the tables of live work and of unfinished runs; once a minute is often enough.
   */
  public List<Finding> doctor() {
    return ApiBoundary.call(() -> service().doctor());
  }

  /** What this process does at this moment, for gauges and health checks; asks no database. */
  public EngineStats stats() {
    return service().stats();
  }

  /**
   * Stops gracefully: takes nothing new, lets running bodies finish within the grace set, commits
   * what has finished and gives the rest back, uncounted, for other processes to take at once.
   */
  @Override
  public void close() {
    Service service;
    starting.lock(); // one that starts just now is closed once it has
    try {
      closed = true;
      service = opened;
    } finally {
      starting.unlock();
    }
    if (service != null) {
      service.close();
    }
  }
}
