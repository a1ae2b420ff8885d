package dev.standpipe.bench.contest;

import dev.standpipe.bench.contest.Workload.Style;
import dev.standpipe.bench.report.Report;
import dev.standpipe.bench.report.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/**
 * Has contenders do a workload side by side: each gets its JVM, they warm up, and then take turns,
 * in the opposite order every other time.
 */
public final class Contest {
  private final Arena arena;
  private final Progress progress;
  private final Report report;

  /** One whose results go to this report. */
  public Contest(Arena arena, Progress progress, Report report) {
    this.arena = arena;
    this.progress = progress;
    this.report = report;
  }

  /** Runs one workload. A contender that fails is left out of what is left of it. */
  public void run(Workload workload, List<Entrant> entrants, int repeats) {
    Map<Entrant, Lane> lanes = new ConcurrentSkipListMap<>();
    Map<Entrant, List<Round>> rounds = new ConcurrentSkipListMap<>();
    try {
      for (Entrant entrant : entrants) {
        if (workload.absent().containsKey(entrant)) {
          report.add(workload, entrant, Result.cannot(workload.absent().get(entrant)));
        } else if (workload.sizes().containsKey(entrant)) {
          enter(workload, entrant, lanes);
        }
      }
      for (int round = 0; round < repeats; round++) {
        List<Entrant> order = new ArrayList<>(lanes.keySet());
        if (round % 2 == 1) {
          Collections.reverse(order);
        }
        String turn = (round + 1) + "/" + repeats;
        // Recovering is waiting: there is no need to wait for one after the other.
        Stream<Entrant> turns =
            workload.style() == Style.RECOVER ? order.parallelStream() : order.stream();
        turns.forEach(entrant -> play(workload, entrant, lanes, rounds, turn));
      }
    } finally {
      lanes.values().forEach(Lane::close);
    }
    if (lanes.containsKey(Entrant.STANDPIPE) && lanes.containsKey(Entrant.BEFORE)) {
      report.compare(
          workload,
          rounds.getOrDefault(Entrant.STANDPIPE, List.of()),
          rounds.getOrDefault(Entrant.BEFORE, List.of()));
    }
    rounds.forEach(
        (entrant, all) -> {
          if (lanes.containsKey(entrant)) {
            report.add(workload, entrant, Result.of(workload, all));
          }
        });
  }

  private void enter(Workload workload, Entrant entrant, Map<Entrant, Lane> lanes) {
    attempt(
        workload,
        entrant,
        lanes,
        () -> {
          Lane lane = open(workload, entrant);
          lanes.put(entrant, lane);
          report.introduce(entrant, lane.hello());
          lane.warmUp();
        });
  }

  private Lane open(Workload workload, Entrant entrant) throws Exception {
    return switch (workload.style()) {
      case PLAIN, SNAPSHOT, ANALYZED -> new PlainLane(arena, workload, entrant);
      case BACKLOG -> new BacklogLane(arena, workload, entrant);
      case SQLITE -> new SqliteLane(arena, workload, entrant);
      case PROCESSES -> new ProcessesLane(arena, workload, entrant);
      case RECOVER -> new RecoverLane(arena, workload, entrant);
      case SUPERVISED -> new SupervisedLane(arena, workload);
      case IDLE -> new IdleLane(arena, workload, entrant);
    };
  }

  private void play(
      Workload workload,
      Entrant entrant,
      Map<Entrant, Lane> lanes,
      Map<Entrant, List<Round>> rounds,
      String turn) {
    attempt(
        workload,
        entrant,
        lanes,
        () -> {
          Lane lane = lanes.get(entrant);
          if (lane != null) {
            Round round = lane.run();
            rounds.computeIfAbsent(entrant, key -> new ArrayList<>()).add(round);
            progress.tell(workload, entrant, turn, Result.of(workload, List.of(round)));
          }
        });
  }

  private void attempt(
      Workload workload, Entrant entrant, Map<Entrant, Lane> lanes, Attempt attempt) {
    try {
      attempt.run();
    } catch (CannotException e) {
      leave(workload, entrant, lanes, Result.cannot(e.reason()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      leave(workload, entrant, lanes, Result.cannot("interrupted"));
    } catch (Exception e) {
      progress.tell(workload.name() + " · " + entrant.title() + " failed: " + e);
      leave(workload, entrant, lanes, Result.cannot("failed here: " + e.getMessage()));
    }
  }

  private void leave(Workload workload, Entrant entrant, Map<Entrant, Lane> lanes, Result instead) {
    Lane lane = lanes.remove(entrant);
    if (lane != null) {
      lane.close();
    }
    report.add(workload, entrant, instead);
  }

  private interface Attempt {
    void run() throws Exception;
  }
}
