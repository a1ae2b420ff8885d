package dev.standpipe.internal.simulation;

import dev.standpipe.Fail;
import dev.standpipe.Retry;
import dev.standpipe.StepContext;
import dev.standpipe.checker.Checker;
import dev.standpipe.checker.Entry;
import dev.standpipe.checker.What;
import dev.standpipe.internal.coordinate.Model.Step;
import dev.standpipe.internal.coordinate.RandomGraph;
import dev.standpipe.internal.engine.client.Starter;
import dev.standpipe.internal.engine.loop.Duty;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.spi.Event;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Several processes over one real store, on one thread: a seed decides who does its next pass, when
 * time passes, and what goes wrong. Faults stop after a while; then everything must come to its end
 * and be as if nothing had happened.
 *
 * <p>Others act while a body runs: the body itself hands the thread on for some steps.
 */
final class Simulation implements AutoCloseable {
  private static final int MOST_PROCESSES = 4;
  private static final int DEEPEST = 3;
  private static final Duration ROUND = SimProcess.LEASE.dividedBy(4);
  private static final int ROUNDS = 80;
  private static final int STATUS_INTERVAL = 5;
  private static final int LONGEST_WAIT = 100;

  private final long seed;
  private final SimLimits limits;
  private final Random dice;
  private final Random faultDice;
  private final Random ids;
  private final SimTime time = new SimTime();
  private final SimDatabase database;
  private final List<SimFlow> flows = new ArrayList<>();
  private final List<SimProcess> processes = new ArrayList<>();
  private final List<SimStart> starts = new ArrayList<>();
  private final List<Entry> history = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private final StringBuilder trace = new StringBuilder();
  private final List<SimFault> faults;
  private final Map<UUID, Long> leases = new HashMap<>();
  private final Map<UUID, Set<String>> undone = new HashMap<>();
  private final SimPauses pauses = new SimPauses(this::trace);
  private final SimBulk bulk = new SimBulk(this::trace, pauses);
  private final SimOperator operator;
  private final SimSchedule schedule;
  private final SimNeeds needs;
  private final SimOutbox outbox;
  private final SimCalls calls;
  private final List<SimProcess> waiting = new ArrayList<>();
  private final Random outageDice;
  private final boolean hasOutages;
  private int awayFor;
  private long awaySince;
  private long backSince;
  private int faultsLeft;
  private int depth;
  private boolean faultsOver;

  Simulation(long seed, SimLimits limits, Mutation mutation) throws SQLException {
    this.seed = seed;
    this.limits = limits;
    this.dice = new Random(seed);
    this.faultDice = new Random(seed * 7919 + 1);
    this.ids = new Random(seed * 104_729 + 2);
    this.outageDice = new Random(seed * 15_485_863 + 3);
    this.hasOutages = outageDice.nextInt(3) == 0;
    this.backSince = time.now() - SimProcess.LEASE.toNanos();
    this.faultsLeft = limits.faults();
    this.faults = SimFault.some(faultDice);
    this.operator = new SimOperator(this, pauses, bulk, dice, faultDice.nextInt(3) == 0);
    this.schedule = new SimSchedule(seed, this::trace);
    this.database = new SimDatabase(time, mutation);
    SimLink link = new SimLink(database, this::trace);
    this.needs = new SimNeeds(database, link);
    this.outbox = new SimOutbox(database, seed, this::trace);
    this.calls = new SimCalls(database);
  }

  SimTime time() {
    return time;
  }

  SimDatabase database() {
    return database;
  }

  SimOutbox outbox() {
    return outbox;
  }

  List<SimFlow> flows() {
    return flows;
  }

  SimSchedule schedule() {
    return schedule;
  }

  List<SimProcess> processes() {
    return processes;
  }

  List<SimStart> starts() {
    return starts;
  }

  List<Entry> history() {
    return history;
  }

  String trace() {
    return trace.toString();
  }

  void trace(String line) {
    trace.append(time).append("  ").append("  ".repeat(depth)).append(line).append('\n');
  }

  /** Plays it all and says what was wrong at the end; empty if nothing was. */
  List<String> play() throws SQLException {
    int kinds = 1 + dice.nextInt(2);
    for (int i = 0; i < kinds; i++) {
      flows.add(new SimFlow("flow" + i, seed * 13 + i, limits.moves()));
    }
    int runs = 1 + dice.nextInt(limits.runs());
    for (int i = 0; i < runs; i++) {
      starts.add(new SimStart(flows.get(dice.nextInt(kinds)), "k" + i, starts, dice));
    }
    int atFirst = 1 + dice.nextInt(3);
    for (int i = 0; i < atFirst; i++) {
      join();
    }
    for (int i = 0; i < limits.steps(); i++) {
      step();
      if (i % STATUS_INTERVAL == 0 && awayFor == 0) {
        judgeStatuses();
      }
    }
    drain();
    violations.addAll(new SimOracle(this).judge());
    violations.addAll(outbox.judge());
    violations.addAll(calls.judge());
    return violations;
  }

  /**
   * At any moment the status of a run fits its other rows. Once is enough to say that one does not.
   */
  private void judgeStatuses() throws SQLException {
    if (violations.isEmpty()) {
      Checker.statuses(database.connection(), "standpipe_")
          .forEach(violation -> violations.add(violation.toString()));
    }
  }

  private void step() {
    time.pass(Duration.ofMillis(dice.nextInt(30)));
    processes.forEach(process -> process.frozenFor = Math.max(0, process.frozenFor - 1));
    List<SimProcess> able = processes.stream().filter(SimProcess::canAct).toList();
    int roll = dice.nextInt(100);
    if (roll < 6) {
      pass(dice.nextInt(5) == 0 ? 30_000 : 1_500);
    } else if (able.isEmpty()) {
      join();
    } else {
      act(able.get(dice.nextInt(able.size())), roll);
    }
    if (!able.isEmpty()) {
      schedule.operate(able.get(able.size() - 1));
    }
    if (hasOutages) {
      outage();
    }
    if (faultDice.nextInt(10) == 0 && faultsLeft > 0 && !able.isEmpty()) {
      faultsLeft--;
      fault(able.get(faultDice.nextInt(able.size())));
    }
    Thread.interrupted();
  }

  /** Now and then the database is away for all, for longer than a lease as often as not. */
  private void outage() {
    if (awayFor > 0) {
      if (--awayFor == 0) {
        Duration more = Duration.ofMillis(outageDice.nextInt(30_000));
        time.pass(more);
        back();
      }
    } else if (!faultsOver && faultsLeft > 0 && outageDice.nextInt(40) == 0) {
      faultsLeft--;
      awayFor = 1 + outageDice.nextInt(20);
      awaySince = time.now();
      database.away(true);
      trace("! the database is away");
    }
  }

  private void back() {
    awayFor = 0;
    database.away(false);
    if (time.now() - awaySince >= SimProcess.LEASE.toNanos() / 2) {
      backSince = time.now(); // a shorter one costs nobody its lease, and nobody notices it
    }
    trace("! the database is back");
  }

  private void act(SimProcess process, int roll) {
    if (roll < 12) {
      start(process);
    } else if (roll < 14) {
      operator.operate(process);
    } else if (roll < 18) {
      operator.signal(process);
    } else if (roll < 45 && !process.machine.bodies.isIdle()) {
      runBody(process);
    } else if (roll < 75) {
      List<Duty> busiest = process.duties.stream().filter(Simulation::moves).toList();
      pass(process, busiest.get(dice.nextInt(busiest.size())));
    } else {
      pass(process, process.duties.get(dice.nextInt(process.duties.size())));
    }
  }

  private static boolean moves(Duty duty) {
    return duty.name().startsWith("committer") || duty.name().equals("claimer");
  }

  private void pass(int mostMillis) {
    Duration by = Duration.ofMillis(dice.nextInt(mostMillis));
    time.pass(by);
    trace("time passes: " + by);
  }

  private void pass(SimProcess process, Duty duty) {
    trace(process.name + " " + duty.name());
    if (duty.name().equals("reaper")) {
      noteLeases();
    }
    try {
      needs.pass(duty).ifPresent(violations::add);
      if (duty.name().equals("pauses")) {
        pauses.looked(process);
      }
    } catch (StoreException e) {
      trace("    " + process.name + " " + duty.name() + " failed: " + e.failure());
    }
  }

  /** Has a process look for work now. */
  void claim(SimProcess process) {
    process.duties.stream()
        .filter(duty -> duty.name().equals("claimer"))
        .forEach(duty -> pass(process, duty));
  }

  private void runBodies(SimProcess process) {
    while (!process.machine.bodies.isIdle()) {
      runBody(process);
    }
  }

  private void runBody(SimProcess process) {
    process.machine.bodies.runNext();
  }

  private void start(SimProcess process) {
    List<SimStart> open = open();
    if (!open.isEmpty()) {
      start(process, open.get(dice.nextInt(open.size())));
    }
  }

  private List<SimStart> open() {
    return starts.stream().filter(s -> !s.isAcknowledged() && s.isPossible()).toList();
  }

  /** A start whose reply was lost is tried again under its key, by the same process or another. */
  private void start(SimProcess process, SimStart start) {
    boolean serving = dice.nextBoolean();
    trace(process.name + (serving ? " starts " : " starts as a client ") + start.key);
    try {
      Starter.StartBatch batch = process.batch(start.pipeline(), serving, this::runId);
      UUID run = start.start(batch, process.store());
      start.acknowledged(run);
      bulk.acknowledged(start);
      note(What.ACKNOWLEDGED, process, dev.standpipe.checker.Step.ofRun(run), 0, 0);
    } catch (StoreException e) {
      trace("    the start failed: " + e.failure());
    }
  }

  UUID runId() {
    return new UUID(ids.nextLong(), ids.nextLong());
  }

  private void join() {
    if (database.isAway()) {
      return;
    }
    String name = "p" + (processes.size() + 1);
    trace(name + " joins");
    processes.add(new SimProcess(name, this, ids));
  }

  /** Each schedule has its own kinds of faults, so that rare mixtures of few come up too. */
  private void fault(SimProcess victim) {
    SimFault kind = faults.get(faultDice.nextInt(faults.size()));
    switch (kind) {
      case LOST_CONNECTION -> breakLink(victim, () -> {});
      case DEATH_IN_A_CALL -> breakLink(victim, () -> die(victim));
      case DEATH -> die(victim);
      case FREEZE -> {
        victim.frozenFor = 5 + faultDice.nextInt(60);
        trace("! " + victim.name + " freezes for " + victim.frozenFor + " steps");
      }
      case DATABASE_CLOCK -> {
        Duration by = Duration.ofSeconds(faultDice.nextInt(61) - 30);
        time.databaseJumps(by);
        trace("! the database's clock jumps by " + by);
      }
      case MACHINE_CLOCK -> {
        Duration by = Duration.ofSeconds(faultDice.nextInt(61) - 30);
        victim.machine.jump(by);
        trace("! the clock of " + victim.name + " jumps by " + by);
      }
    }
    if (processes.stream().filter(process -> !process.dead).count() < MOST_PROCESSES
        && faultDice.nextInt(3) == 0) {
      join();
    }
  }

  private void breakLink(SimProcess victim, Runnable then) {
    SimLink.Break where = faultDice.nextInt(3) == 0 ? SimLink.Break.BEFORE : SimLink.Break.AFTER;
    int statements = faultDice.nextInt(12);
    trace("! " + victim.name + " loses its connection in " + statements + " statements, " + where);
    victim.link.breakAt(statements, where, then);
  }

  private void die(SimProcess process) {
    trace("! " + process.name + " dies");
    process.die();
  }

  /** What a body does: lets others act, and ends as its step is told to. */
  void body(SimProcess process, SimFlow flow, StepContext ctx) throws Exception {
    requireAlive(process);
    Step step = new Step(ctx.node(), ctx.index());
    dev.standpipe.checker.Step of =
        new dev.standpipe.checker.Step(ctx.runId(), ctx.node(), ctx.index());
    String turn = ctx.turn() == 1 ? "" : " turn " + ctx.turn();
    trace("  " + process.name + " body of " + step + turn + " attempt " + ctx.attempt());
    note(What.STARTED, process, of, ctx.attempt(), ctx.token());
    if (!pauses.mayBegin(process, ctx.runId(), ctx.pipeline())) {
      violations.add(process.name + " begins " + of + ", which is paused");
    }
    if (!faultsOver && depth < DEEPEST && dice.nextInt(3) == 0) {
      depth++;
      operator.hurry(process, ctx.runId());
      int steps = dice.nextInt(8);
      for (int i = 0; i < steps; i++) {
        step();
      }
      depth--;
    }
    requireAlive(process);
    try {
      Thread.interrupted(); // meant for a body that waits further out on this thread
      calls.act(flow, step, ctx);
    } catch (Exception e) {
      note(What.ENDED, process, of, ctx.attempt(), ctx.token());
      throw e;
    }
    SimFlow.Ending ending = flow.ending(step, ctx.attempt(), ctx.token());
    if (ending == SimFlow.Ending.HANGS) {
      process.machine.timer.ringNewest();
    }
    note(What.ENDED, process, of, ctx.attempt(), ctx.token());
    if (ctx.isCanceled() && dice.nextBoolean()) {
      throw new InterruptedException();
    }
    switch (ending) {
      case THROWS -> throw new IllegalStateException("fails on purpose");
      case FAILS_NOW -> throw Fail.now("fails at once, on purpose");
      case SNOOZES -> throw Retry.after(Duration.ofSeconds(dice.nextInt(5)));
      case RETURNS, HANGS -> {
        if (flow.setsContext(step)) {
          ctx.context().set(step.toString(), step.index());
        }
        if (flow.emits(step)) {
          ctx.emit("done", step.toString(), SimOutbox.about(step));
        }
        if (flow.finishes(step) && isOfAStart(ctx) && ctx.turn() > SimFlow.turns(step)) {
          ctx.finishRun(SimFlow.output(step));
        }
      }
    }
  }

  /** What the body of a scheduled run does. */
  String tick(SimProcess process, String instant, StepContext ctx) {
    requireAlive(process);
    dev.standpipe.checker.Step of =
        new dev.standpipe.checker.Step(ctx.runId(), ctx.node(), ctx.index());
    note(What.STARTED, process, of, ctx.attempt(), ctx.token());
    note(What.ENDED, process, of, ctx.attempt(), ctx.token());
    return instant;
  }

  /** A body waits for its process to write something: others act meanwhile. */
  boolean whileWaiting(SimProcess process, CompletableFuture<?> reply) {
    if (!faultsOver && depth < DEEPEST && faultsLeft > 0 && dice.nextInt(4) == 0) {
      faultsLeft--;
      outlive(process);
    }
    List<SimProcess> before = List.copyOf(waiting);
    waiting.add(process);
    try {
      waitOn(process, reply, before);
    } finally {
      waiting.remove(waiting.size() - 1);
    }
    if (!reply.isDone()) {
      die(process);
    }
    requireAlive(process);
    return true;
  }

  /** A process whose body waited before may come first. */
  private void waitOn(SimProcess process, CompletableFuture<?> reply, List<SimProcess> before) {
    for (int i = 0; i < LONGEST_WAIT && !reply.isDone(); i++) {
      requireAlive(process);
      if (!before.isEmpty() && dice.nextInt(3) == 0) {
        commit(before.get(dice.nextInt(before.size())));
      }
      if (!faultsOver && depth < DEEPEST && dice.nextInt(3) == 0) {
        depth++;
        step();
        depth--;
      } else if (process.canAct()) {
        commit(process);
      } else {
        process.frozenFor--;
      }
      Thread.interrupted();
    }
  }

  private void commit(SimProcess process) {
    if (process.canAct()) {
      process.duties.stream()
          .filter(duty -> duty.name().startsWith("committer"))
          .forEach(duty -> pass(process, duty));
    }
  }

  /** The process of the body is out for longer than its lease, and another one goes on instead. */
  private void outlive(SimProcess process) {
    List<SimProcess> others = processes.stream().filter(p -> p != process && p.canAct()).toList();
    if (others.isEmpty()) {
      return;
    }
    SimProcess other = others.get(dice.nextInt(others.size()));
    trace("! " + process.name + " is out for long, " + other.name + " goes on");
    int frozenBefore = process.frozenFor;
    process.frozenFor = Integer.MAX_VALUE;
    depth++;
    for (int i = 0; i < 5; i++) {
      time.pass(SimProcess.LEASE.dividedBy(2));
      pass(other, "heartbeat");
    }
    for (String duty : List.of("reaper", "promoter", "claimer")) {
      pass(other, duty);
    }
    process.frozenFor = frozenBefore;
    waiting.add(process); // it comes back while the other one's body runs
    if (other.canAct() && !other.machine.bodies.isIdle()) {
      runBody(other);
    }
    waiting.remove(waiting.size() - 1);
    depth--;
    Thread.interrupted();
  }

  private void pass(SimProcess process, String name) {
    if (process.canAct()) {
      process.duties.stream()
          .filter(duty -> duty.name().equals(name))
          .forEach(duty -> pass(process, duty));
    }
  }

  /** Unlike a callback, a compensation or a run that is called. */
  private static boolean isOfAStart(StepContext ctx) {
    return !ctx.pipeline().contains("$") && !ctx.node().equals(RandomGraph.CALLED);
  }

  private static void requireAlive(SimProcess process) {
    if (process.dead) {
      throw new IllegalStateException(process.name + " is dead");
    }
  }

  /** A compensation has undone this. */
  void undone(UUID compensation, String value) {
    undone.computeIfAbsent(compensation, run -> new HashSet<>()).add(value);
  }

  /** What a compensation has undone. */
  Set<String> undone(UUID compensation) {
    return undone.getOrDefault(compensation, Set.of());
  }

  /** What a listener of a process hears; of a dead one nobody does. */
  void heard(SimProcess process, Event event) {
    if (process.dead) {
      return;
    }
    if (event instanceof Event.ExecutionSucceeded e) {
      note(What.ACCEPTED, process, e.step());
    } else if (event instanceof Event.ExecutionFailed e) {
      note(What.FAILED, process, e.step());
      trace("      " + e.error().message());
    } else if (event instanceof Event.StaleWriteBlocked e) {
      note(What.STALE, process, e.step());
    } else if (event instanceof Event.StepReleased e) {
      note(What.RELEASED, process, e.step());
    } else if (event instanceof Event.RunFinished e) {
      note(What.RUN_ENDED, process, dev.standpipe.checker.Step.ofRun(e.run()), 0, 0);
    } else if (event instanceof Event.ProcessReaped e) {
      reaped(e);
    }
  }

  /**
   * Nobody is reaped before its lease has run out by the database's clock; as long as all clocks
   * agree, it has stopped trusting it by then (I4).
   */
  private void reaped(Event.ProcessReaped event) {
    trace("    reaped: " + event.processName() + " with " + event.tasks() + " tasks");
    Long lease = leases.get(event.process());
    if (lease != null && lease >= time.databaseSeconds() * 1e6) {
      violations.add("I4: reaped before its lease ran out: " + event.processName());
    }
    if (lease != null
        && !time.isDisturbed()
        && time.now() - backSince < SimProcess.LEASE.toNanos()) {
      violations.add("I7: reaped right after an outage: " + event.processName());
    }
    if (!time.isDisturbed()) {
      processes.stream()
          .filter(process -> process.trustsItself(event.process()))
          .forEach(p -> violations.add("I4: reaped while it trusted its lease: " + p.name));
    }
  }

  private void noteLeases() {
    leases.clear();
    try (Statement statement = database.connection().createStatement();
        ResultSet row =
            statement.executeQuery("select id, lease_expires_at from standpipe_process")) {
      while (row.next()) {
        leases.put(UUID.fromString(row.getString(1)), row.getLong(2));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void note(What what, SimProcess process, Event.Step step) {
    note(
        what,
        process,
        new dev.standpipe.checker.Step(step.run(), step.node(), step.index()),
        step.attempt(),
        step.token());
  }

  private void note(
      What what, SimProcess process, dev.standpipe.checker.Step step, int attempt, long token) {
    Entry entry = new Entry(what, history.size(), process.name, step, attempt, token);
    history.add(entry);
    if (what != What.STARTED) {
      trace("    " + entry);
    }
  }

  /** Everybody wakes up, nothing breaks any more, and all do their passes in turn. */
  private void drain() throws SQLException {
    faultsOver = true;
    trace("faults are over");
    if (awayFor > 0) {
      back();
    }
    processes.forEach(process -> process.link.heal());
    processes.forEach(process -> process.frozenFor = 0);
    findForks();
    if (processes.stream().noneMatch(SimProcess::canAct)) {
      join();
    }
    long rounds = ROUNDS + 2 * time.jumped().dividedBy(ROUND);
    for (long i = 0; i < rounds && !isDone(); i++) {
      time.pass(ROUND);
      processes.stream().filter(SimProcess::canAct).toList().forEach(this::round);
    }
  }

  /** A fork whose reply was lost may be there all the same. */
  private void findForks() throws SQLException {
    Map<UUID, SimStart> known = new HashMap<>();
    starts.stream().filter(SimStart::isAcknowledged).forEach(s -> known.put(s.run(), s));
    try (Statement statement = database.connection().createStatement();
        ResultSet row =
            statement.executeQuery("select run_id, original_run_id, node from standpipe_rerun")) {
      while (row.next()) {
        UUID run = UUID.fromString(row.getString("run_id"));
        SimStart original = known.get(UUID.fromString(row.getString("original_run_id")));
        if (original != null && !known.containsKey(run)) {
          SimStart fork =
              SimStart.fork(original, original.key + "/" + row.getString("node"), run, dice);
          bulk.found(fork);
          starts.add(fork);
        }
      }
    }
  }

  private void round(SimProcess process) {
    pauses.resumeAll(process);
    schedule.stop(process);
    process.duties.forEach(duty -> pass(process, duty));
    open().forEach(start -> start(process, start));
    starts.stream()
        .filter(SimStart::isAcknowledged)
        .forEach(s -> s.unsignaled().forEach(await -> operator.signal(process, s, await, "late")));
    List<Duty> busiest = process.duties.stream().filter(Simulation::moves).toList();
    for (int i = 0; i < 3; i++) {
      runBodies(process);
      busiest.forEach(duty -> pass(process, duty));
    }
    runBodies(process); // what waits for a body for long is given back
    Thread.interrupted();
  }

  private boolean isDone() throws SQLException {
    try (Statement statement = database.connection().createStatement();
        ResultSet row =
            statement.executeQuery(
                "select (select count(*) from standpipe_task)"
                    + " + (select count(*) from standpipe_canceling)"
                    + " + (select count(*) from standpipe_ended)"
                    + " + (select count(*) from standpipe_firing where outcome = 'requested')"
                    + " + (select count(*) from standpipe_run where finished_at is null)")) {
      return row.next()
          && row.getInt(1) == 0
          && starts.stream().allMatch(SimStart::isAcknowledged)
          && outbox.isDrained();
    }
  }

  @Override
  public void close() throws SQLException {
    Thread.interrupted();
    database.close();
  }
}
