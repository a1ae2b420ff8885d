package dev.standpipe.bench.contest;

import static dev.standpipe.bench.contest.Entrant.DBOS;
import static dev.standpipe.bench.contest.Entrant.DB_SCHEDULER;
import static dev.standpipe.bench.contest.Entrant.JOBRUNR;
import static dev.standpipe.bench.contest.Entrant.QUARTZ;
import static dev.standpipe.bench.contest.Entrant.RAW;
import static dev.standpipe.bench.contest.Entrant.STANDPIPE;

import dev.standpipe.bench.contest.Workload.Style;
import dev.standpipe.bench.contract.Order;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Shape.Kind;
import dev.standpipe.bench.contract.Trial;
import java.util.ArrayList;
import java.util.List;

/**
 * The workloads and their sizes. A rate needs no more runs than a contender does in some seconds,
 * so slow ones are given fewer; what they are given is in the results.
 */
public final class Plan {
  private static final Shape CHAIN = Shape.chain(5);

  private Plan() {}

  /** Everything, in 25 minutes. */
  public static List<Workload> full() {
    List<Workload> all = new ArrayList<>();
    all.add(
        jobs(4_000)
            .size(STANDPIPE, 50_000)
            .size(RAW, 50_000)
            .size(DB_SCHEDULER, 30_000)
            .size(JOBRUNR, 4_000)
            .size(DBOS, 2_500)
            .size(QUARTZ, 2_000));
    all.add(
        chain(4_000)
            .size(STANDPIPE, 10_000)
            .size(RAW, 10_000)
            .size(DB_SCHEDULER, 5_000)
            .size(JOBRUNR, 800)
            .size(DBOS, 1_200)
            .size(QUARTZ, 400));
    all.add(once(4_000).size(STANDPIPE, 4_000));
    all.add(joins(fan(5_000)).size(STANDPIPE, 100).size(RAW, 100).size(DBOS, 10));
    all.add(joins(diamond(5_000)).size(STANDPIPE, 5_000).size(RAW, 5_000).size(DBOS, 500));
    all.add(loop(5_000).size(STANDPIPE, 500));
    all.addAll(latency(2_000, 300, 2_000, 3_000));
    all.addAll(starts(2_000));
    all.addAll(backlog());
    all.add(
        drain("snapshot", "chain while another session holds an old snapshot open", CHAIN, 4_000)
            .style(Style.SNAPSHOT)
            .size(STANDPIPE, 20_000)
            .size(RAW, 20_000)
            .size(DB_SCHEDULER, 5_000));
    all.add(
        drain("analyzed", "chain just after ANALYZE on empty tables", CHAIN, 4_000)
            .style(Style.ANALYZED)
            .size(STANDPIPE, 10_000)
            .size(RAW, 10_000));
    all.addAll(recover());
    all.addAll(processes());
    all.addAll(pipelines());
    all.addAll(schedules());
    all.add(
        drain(
                "transactional",
                "runs of five steps, each with a row of the user's in its own transaction",
                new Shape(Kind.BOOKINGS, 5, 0),
                10_000)
            .size(STANDPIPE, 2_000)
            .size(RAW, 2_000));
    all.add(
        drain(
                "outbox",
                "events, 1,000 of a step, emitted and taken by a sink in the process",
                new Shape(Kind.EVENTS, 1_000, 0),
                20_000)
            .size(STANDPIPE, 200));
    all.addAll(idle());
    all.addAll(payload());
    all.addAll(sqlite());
    all.addAll(large());
    List<Workload> warm = new ArrayList<>(warm(all, 3_000));
    // The JVMs stay: only the first workload finds them cold.
    warm.set(0, warm.get(0).number(Workload.WARM_UP_MS, 20_000));
    return warm;
  }

  /** The main ones, small, in 3 minutes. */
  public static List<Workload> quick() {
    List<Workload> all = new ArrayList<>();
    all.add(
        jobs(1_000)
            .size(STANDPIPE, 20_000)
            .size(RAW, 20_000)
            .size(DB_SCHEDULER, 5_000)
            .size(JOBRUNR, 1_000)
            .size(DBOS, 500)
            .size(QUARTZ, 400));
    all.add(
        chain(1_000)
            .size(STANDPIPE, 6_000)
            .size(RAW, 6_000)
            .size(DB_SCHEDULER, 1_000)
            .size(JOBRUNR, 200)
            .size(DBOS, 250)
            .size(QUARTZ, 80));
    all.add(joins(fan(1_000)).size(STANDPIPE, 20).size(RAW, 20).size(DBOS, 2));
    all.add(joins(diamond(1_000)).size(STANDPIPE, 2_000).size(RAW, 2_000).size(DBOS, 60));
    all.add(loop(1_000).size(STANDPIPE, 100));
    for (Workload workload : latency(500, 100, 800, 1_000)) {
      if (workload.name().equals("latency")) {
        all.add(
            workload.absent(
                JOBRUNR, "left out of the quick run: idle workers wait 5 s for their next poll"));
      }
    }
    all.addAll(starts(400));
    return warm(all, 1_000);
  }

  /** Enough to notice that the engine has become slow, in a minute. */
  public static List<Workload> smoke() {
    return warm(List.of(chain(10_000).size(STANDPIPE, 10_000).size(RAW, 10_000)), 4_000);
  }

  /** What runs only if it is asked for by name. */
  public static List<Workload> onDemand() {
    return List.of(
        Workload.of(
                "soak",
                "soak",
                "chain, started and worked on for ten minutes, with checkpoints and vacuum",
                Trial.Kind.SOAK,
                CHAIN)
            .with(Order.LIMIT_MS, 600_000)
            .repeats(1)
            .size(STANDPIPE, 20_000)
            .size(RAW, 20_000));
  }

  /** Asks those who cannot, too: they say why. */
  private static Workload joins(Workload workload) {
    return workload.size(DB_SCHEDULER, 1).size(JOBRUNR, 1).size(QUARTZ, 1);
  }

  private static List<Workload> warm(List<Workload> all, int millis) {
    return all.stream().map(workload -> workload.number(Workload.WARM_UP_MS, millis)).toList();
  }

  private static Workload drain(String name, String title, Shape shape, int limitMs) {
    return Workload.of(name, name, title, Trial.Kind.DRAIN, shape).with(Order.LIMIT_MS, limitMs);
  }

  private static Workload jobs(int limitMs) {
    return drain("jobs", "runs of one no-op step, drained", Shape.JOB, limitMs);
  }

  private static Workload chain(int limitMs) {
    return drain("chain", "runs of five no-op steps, drained", CHAIN, limitMs);
  }

  private static Workload once(int limitMs) {
    return drain(
        "once",
        "runs of one step with five sub-steps, drained; beside chain, a sub-step for a step",
        new Shape(Kind.CALLS, 5, 0),
        limitMs);
  }

  private static Workload fan(int limitMs) {
    return drain("fan", "runs of 1 → 1,000 → 1, drained", new Shape(Kind.FAN, 1_000, 0), limitMs);
  }

  private static Workload diamond(int limitMs) {
    return drain("diamond", "runs of 1 → 8 → 1, drained", new Shape(Kind.DIAMOND, 8, 0), limitMs);
  }

  /** Beside {@code chain}, for a turn does what a step of a chain does, and writes its state. */
  private static Workload loop(int limitMs) {
    return drain(
        "loop", "loops of 100 no-op turns, drained", new Shape(Kind.LOOP, 100, 0), limitMs);
  }

  private static List<Workload> latency(int calls, int pacedCalls, int limitMs, int pacedLimitMs) {
    List<Workload> all = new ArrayList<>();
    for (int steps : List.of(1, 5)) {
      String name = steps == 1 ? "latency" : "latency-" + steps;
      String what = steps == 1 ? "1-step" : steps + "-step";
      Workload idle =
          Workload.of(
                  name,
                  "latency",
                  what + " runs, one at a time, start to finish",
                  Trial.Kind.LATENCY,
                  Shape.chain(steps))
              .with(Order.LIMIT_MS, limitMs);
      all.add(everyPeer(idle.with(Order.CALLS, calls)));
      Workload paced =
          Workload.of(
                  name + "-paced",
                  "latency",
                  what + " runs, 100 a second, start to finish",
                  Trial.Kind.LATENCY,
                  Shape.chain(steps))
              .with(Order.LIMIT_MS, pacedLimitMs);
      all.add(everyPeer(paced.with(Order.CALLS, pacedCalls).with(Order.RATE, 100)));
    }
    return all;
  }

  private static List<Workload> starts(int limitMs) {
    Workload oneByOne =
        Workload.of(
                "start", "start", "runs started one by one from 8 threads", Trial.Kind.START, CHAIN)
            .with(Order.LIMIT_MS, limitMs)
            .with(Order.THREADS, 8);
    Workload bulk =
        Workload.of("start-bulk", "start", "runs started 1,000 at a time", Trial.Kind.START, CHAIN)
            .with(Order.LIMIT_MS, limitMs)
            .with(Order.BATCH, 1_000);
    return List.of(
        everyPeer(oneByOne).size(RAW, 0),
        everyPeer(bulk).size(RAW, 0).absent(DBOS, "no bulk start: one workflow at a time"));
  }

  private static Workload everyPeer(Workload workload) {
    return workload
        .size(STANDPIPE, 0)
        .size(DB_SCHEDULER, 0)
        .size(JOBRUNR, 0)
        .size(DBOS, 0)
        .size(QUARTZ, 0);
  }

  private static List<Workload> backlog() {
    List<Workload> all = new ArrayList<>();
    for (int waiting : List.of(10_000, 100_000, 1_000_000)) {
      String size = waiting == 1_000_000 ? "1m" : waiting / 1_000 + "k";
      Workload workload =
          Workload.of(
                  "backlog-" + size,
                  "backlog",
                  "chain with " + String.format("%,d", waiting) + " runs waiting",
                  Trial.Kind.DRAIN,
                  CHAIN)
              .style(Style.BACKLOG)
              .with(Order.LIMIT_MS, 5_000)
              .with(Order.STEPS, 100_000)
              .number(Workload.WAITING, waiting)
              .size(STANDPIPE, 0);
      all.add(waiting == 1_000_000 ? workload : workload.size(RAW, 0));
    }
    return all;
  }

  private static List<Workload> recover() {
    Workload workload =
        Workload.of("", "recover", "", Trial.Kind.SERVE, Shape.JOB)
            .style(Style.RECOVER)
            .size(STANDPIPE, 16)
            .size(DBOS, 16)
            .size(QUARTZ, 10);
    return List.of(
        named(
                workload,
                "recover-default",
                "from kill -9 of a busy worker to its work running again")
            .with(Order.DEFAULT_RECOVERY, 1)
            .repeats(1)
            .absent(DB_SCHEDULER, "not waited for: 6 heartbeats of 5 minutes by default")
            .absent(
                JOBRUNR, "not waited for: 4 polls of 15 s by default, and those until it looks"),
        named(workload, "recover-tuned", "the same, set up to notice soon")
            .with(Order.QUICK_RECOVERY, 1)
            .size(JOBRUNR, 16)
            .size(DB_SCHEDULER, 16),
        Workload.of(
                "recover-supervised",
                "recover",
                "the same with default settings, where a supervisor sees the worker die",
                Trial.Kind.SERVE,
                Shape.JOB)
            .style(Style.SUPERVISED)
            .with(Order.DEFAULT_RECOVERY, 1)
            .size(STANDPIPE, 16));
  }

  private static Workload named(Workload workload, String name, String title) {
    return new Workload(
        name,
        workload.group(),
        title,
        workload.style(),
        workload.order(),
        workload.sizes(),
        workload.absent(),
        workload.jvmOptions(),
        workload.repeats(),
        workload.numbers());
  }

  private static List<Workload> processes() {
    List<Workload> all = new ArrayList<>();
    for (int processes : List.of(1, 2, 4)) {
      all.add(
          Workload.of(
                  "processes-" + processes,
                  "processes",
                  "chain with " + processes + (processes == 1 ? " process" : " processes"),
                  Trial.Kind.SERVE,
                  CHAIN)
              .style(Style.PROCESSES)
              .with(Order.LIMIT_MS, 4_000)
              .number(Workload.PROCESSES, processes)
              .size(STANDPIPE, 30_000)
              .size(DB_SCHEDULER, 6_000));
    }
    return all;
  }

  /** One pipeline is busy, whatever others are served beside it. */
  private static List<Workload> pipelines() {
    List<Workload> all = new ArrayList<>();
    for (int served : List.of(1, 50, 500)) {
      String one =
          served == 1 ? "the only pipeline served" : "one of " + served + " that are served";
      all.add(
          Workload.of(
                  "pipelines-" + served, "pipelines", "jobs of " + one, Trial.Kind.DRAIN, Shape.JOB)
              .with(Order.LIMIT_MS, 4_000)
              .with(Order.IDLE_PIPELINES, served - 1)
              .size(STANDPIPE, 50_000));
    }
    return all;
  }

  /** What is drained has nothing to do with the schedules, of which some fire meanwhile. */
  private static List<Workload> schedules() {
    List<Workload> all = new ArrayList<>();
    for (int declared : List.of(0, 1_000, 100_000)) {
      all.add(
          Workload.of(
                  "schedules-" + declared,
                  "schedules",
                  "jobs beside %,d schedules that fire once an hour".formatted(declared),
                  Trial.Kind.DRAIN,
                  Shape.JOB)
              .with(Order.LIMIT_MS, 4_000)
              .with(Order.SCHEDULES, declared)
              .size(STANDPIPE, 50_000));
    }
    return all;
  }

  private static List<Workload> idle() {
    List<Workload> all = new ArrayList<>();
    for (int processes : List.of(1, 4)) {
      all.add(
          Workload.of(
                  "idle-" + processes,
                  "idle",
                  processes == 1 ? "a process with nothing to do" : processes + " of them",
                  Trial.Kind.SERVE,
                  Shape.JOB)
              .style(Style.IDLE)
              .repeats(1)
              .number(Workload.PROCESSES, processes)
              .size(STANDPIPE, 1));
    }
    return all;
  }

  private static List<Workload> payload() {
    List<Workload> all = new ArrayList<>();
    for (int kilobytes : List.of(1, 10, 100)) {
      int runs = 6_000 / kilobytes + 140;
      all.add(
          Workload.of(
                  "payload-" + kilobytes + "kb",
                  "payload",
                  "chain with values of " + kilobytes + " KB",
                  Trial.Kind.DRAIN,
                  CHAIN.withBytes(kilobytes * 1_024))
              .with(Order.LIMIT_MS, 3_000)
              .size(STANDPIPE, runs)
              .size(RAW, runs)
              .size(DB_SCHEDULER, Math.min(runs, 2_000))
              .size(DBOS, Math.min(runs, 800)));
    }
    return all;
  }

  private static List<Workload> sqlite() {
    String reason = "not set up here on SQLite";
    return List.of(
        Workload.of("sqlite-jobs", "sqlite", "jobs on SQLite", Trial.Kind.DRAIN, Shape.JOB)
            .style(Style.SQLITE)
            .with(Order.LIMIT_MS, 10_000)
            .size(STANDPIPE, 20_000)
            .absent(RAW, reason),
        Workload.of("sqlite-chain", "sqlite", "chain on SQLite", Trial.Kind.DRAIN, CHAIN)
            .style(Style.SQLITE)
            .with(Order.LIMIT_MS, 10_000)
            .size(STANDPIPE, 10_000)
            .absent(RAW, reason));
  }

  private static List<Workload> large() {
    return List.of(
        drain("graph10k", "runs of a graph of 10,000 nodes", new Shape(Kind.LANES, 99, 0), 15_000)
            .size(STANDPIPE, 10),
        drain("expand100k", "a run of 1 → 100,000 → 1", new Shape(Kind.FAN, 100_000, 0), 30_000)
            .size(STANDPIPE, 1)
            .size(RAW, 1),
        drain("heap", "chain, 1,000,000 steps with -Xmx128m", CHAIN, 60_000)
            .jvmOptions("-Xmx128m")
            .repeats(1)
            .size(STANDPIPE, 200_000));
  }
}
