package dev.standpipe.internal.store.settle;

import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.StepError;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.StoredCode;
import dev.standpipe.internal.store.jdbc.Words;
import dev.standpipe.internal.store.run.JdbcSignals;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a batch of settlements writes. What must be written only for those accepted is
 * asked for with their positions.
 */
public final class SettlementRows {
  private static final short ENDS = StoredCode.RUN_ENDED.number();
  private static final short GOES = StoredCode.GONE.number();
  public static final short READY = StoredCode.READY.number();
  public static final short LEASED = StoredCode.LEASED.number();
  private static final short SCHEDULED = StoredCode.SCHEDULED.number();
  private static final short HALTING = StoredCode.HALTING.number();

  /** Why a run is halting that a step has ended early; it has no reason once it has ended. */
  private static final String FINISHED = "finished";

  /** The reason of a run that ends failed, not halted. */
  private static final String OUTLIVED = "failed";

  private final List<Settlement> all;
  private final boolean parked;

  public SettlementRows(List<Settlement> all) {
    this(all, false);
  }

  private SettlementRows(List<Settlement> all, boolean parked) {
    this.all = all;
    this.parked = parked;
  }

  /** Those of runs that are paused: the owner keeps nothing that follows. */
  static SettlementRows parked(List<Settlement> all) {
    return new SettlementRows(all.stream().map(Settlement::unkept).toList(), true);
  }

  /** Whether they are of runs that are paused, and of no others. */
  boolean isParked() {
    return parked;
  }

  Settlement get(int position) {
    return all.get(position);
  }

  /** Whether the task stays, for the next step or for another try. */
  boolean staysOn(int position) {
    return all.get(position).verdict().keepsTask();
  }

  /** Which tasks the settlements are for. */
  Rows holds(List<Integer> positions) {
    Rows holds = new Rows("ord integer", "run uuid", "task bigint", "token bigint");
    for (int ord : positions) {
      Settlement s = all.get(ord);
      holds.add(ord, s.run(), s.task(), s.token());
    }
    return holds;
  }

  /** What becomes of each task and, beside it, its result; see the statement {@code settle}. */
  Rows settled(List<Integer> positions) {
    Rows settled =
        new Rows(
            "run uuid",
            "task bigint",
            "token bigint",
            "node text",
            "idx integer",
            "attempt integer",
            "elapsed_us bigint",
            "value text",
            "next_node text",
            "next_idx integer",
            "state smallint",
            "delay_us bigint",
            "next_attempt integer");
    for (Settlement s : at(positions)) {
      if (s.verdict() instanceof Settlement.Advancing ok) {
        Settlement.Value own = own(ok);
        Settlement.Next next = ok.changes().next();
        short state = next == null ? (ok.changes().endsRun() ? ENDS : GOES) : state(ok, next);
        settled.add(
            s.run(),
            s.task(),
            s.token(),
            s.node(),
            own == null ? s.index() : own.index(),
            s.attempt(),
            s.elapsedMicros(),
            own == null ? null : own.value(),
            next == null ? null : next.node(),
            next == null ? null : next.index(),
            state,
            ok.delayMicros(),
            ok instanceof Settlement.Expanding ? s.attempt() : 1);
      } else {
        boolean retried = s.verdict() instanceof Settlement.Retried;
        long delay = s.verdict().delayMicros();
        short state = s.verdict().failure() != null ? HALTING : delay > 0 ? SCHEDULED : READY;
        settled.add(
            s.run(),
            s.task(),
            s.token(),
            s.node(),
            failedIndex(s),
            s.attempt(),
            s.elapsedMicros(),
            null,
            null,
            null,
            state,
            delay,
            retried ? s.attempt() + 1 : null);
      }
    }
    return settled;
  }

  /** What the task becomes that the next step takes over, or a loop's next turn. */
  private static short state(Settlement.Advancing ok, Settlement.Next next) {
    return ok.delayMicros() > 0 ? SCHEDULED : next.leased() ? LEASED : READY;
  }

  /** The steps that begin to wait. */
  Rows waits(List<Integer> positions) {
    Rows waits = JdbcSignals.newWaits();
    for (Settlement s : at(positions)) {
      if (s.verdict() instanceof Settlement.Waiting) {
        waits.add(s.run(), s.node(), s.index(), s.task());
      }
    }
    return waits;
  }

  /** The expands of so many elements that these are written apart. */
  List<Settlement> wide(List<Integer> positions) {
    return at(positions).stream().filter(WideExpand::is).toList();
  }

  /** Elements of other expands and what is skipped, which {@link #settled} has no place for. */
  Rows besides(List<Integer> positions) {
    return ResultRows.besides(at(positions));
  }

  /** The outcomes to record. */
  Rows results(List<Integer> positions) {
    return ResultRows.all(at(positions));
  }

  private List<Settlement> at(List<Integer> positions) {
    List<Settlement> some = new ArrayList<>(positions.size());
    positions.forEach(ord -> some.add(all.get(ord)));
    return some;
  }

  /** The tasks that start besides those that take over a row. */
  Rows tasks(List<Integer> positions) {
    Rows tasks = newTasks();
    for (Settlement s : at(positions)) {
      for (Settlement.NewTasks t : s.changes().tasks()) {
        tasks.add(
            s.run(),
            t.task(),
            t.node(),
            s.lane(),
            (short) s.priority(),
            t.first(),
            t.count(),
            t.leased(),
            s.ref().era());
      }
    }
    return tasks;
  }

  /** How they arrive at targets. */
  Arrivals arrivals(List<Integer> positions) {
    Arrivals arrivals = new Arrivals();
    for (int ord : positions) {
      arrivals.add(ord, all.get(ord));
    }
    return arrivals;
  }

  /** The tries that did not succeed. */
  Rows attempts(List<Integer> positions) {
    Rows attempts =
        new Rows(
            "run uuid",
            "node text",
            "idx integer",
            "token bigint",
            "attempt integer",
            "outcome text",
            "elapsed_us bigint",
            "error_type prose",
            "error prose",
            "trace prose");
    for (Settlement s : at(positions)) {
      Settlement.Failed failure = s.verdict().failure();
      if (s.verdict() instanceof Settlement.Retried v) {
        addAttempt(attempts, s, Words.of(v.outcome()), v.error());
      } else if (s.verdict() instanceof Settlement.Snoozed) {
        addAttempt(attempts, s, Words.of(AttemptOutcome.SNOOZED), null);
      } else if (failure != null) {
        addAttempt(attempts, s, Words.of(failure.outcome()), failure.error());
      }
    }
    return attempts;
  }

  /** The runs that succeed with a step, and not with the last of several arrivals. */
  public Rows ends(List<Integer> positions) {
    Rows ends = new Rows("run uuid");
    for (Settlement s : at(positions)) {
      if (!s.verdict().keepsTask() && s.changes().endsRun()) {
        ends.add(s.run());
      }
    }
    return ends;
  }

  /** Those that have effects to write. */
  List<Settlement> withEffects(List<Integer> positions) {
    return at(positions).stream()
        .filter(s -> s.effects().stream().anyMatch(effect -> effect.isWrittenWith(s.verdict())))
        .toList();
  }

  /** The runs that halt, or are ended early; of several steps that stop one, the first decides. */
  Rows halts(List<Integer> positions) {
    Rows halts = new Rows("run uuid", "reason text", "node text");
    Set<UUID> stopped = new HashSet<>();
    for (Settlement s : at(positions)) {
      if (s.verdict() instanceof Settlement.Failed failed && stopped.add(s.run())) {
        halts.add(s.run(), Words.of(failed.reason()), s.node());
      } else if (s.verdict() instanceof Settlement.Finished && stopped.add(s.run())) {
        halts.add(s.run(), FINISHED, s.node());
      }
    }
    return halts;
  }

  /** The nodes whose failures are tolerated. */
  Rows tolerated(List<Integer> positions) {
    Rows tolerated = new Rows("run uuid", "node text", "reason text");
    for (Settlement s : at(positions)) {
      if (s.verdict() instanceof Settlement.Tolerated v) {
        tolerated.add(s.run(), s.node(), v.halts() ? Words.of(v.failure().reason()) : OUTLIVED);
      }
    }
    return tolerated;
  }

  /** The result of the step itself, if it has one yet. */
  static Settlement.@Nullable Value own(Settlement.Advancing ok) {
    List<Settlement.Value> results = ok.changes().results();
    return results.isEmpty() || ok instanceof Settlement.Expanding ? null : results.get(0);
  }

  /** Where the failure of a step is recorded: an expand's beside its elements. */
  static int failedIndex(Settlement s) {
    Settlement.Failed failure = s.verdict().failure();
    return failure != null && failure.expand() ? Settlement.header(s.index()) : s.index();
  }

  /** The steps that end their runs early. */
  List<Settlement> finishes(List<Integer> positions) {
    return at(positions).stream().filter(s -> s.verdict() instanceof Settlement.Finished).toList();
  }

  private static void addAttempt(
      Rows attempts, Settlement s, String outcome, @Nullable StepError error) {
    attempts.add(
        s.run(),
        s.node(),
        s.index(),
        s.token(),
        s.attempt(),
        outcome,
        s.elapsedMicros(),
        error == null ? null : error.type(),
        error == null ? null : error.message(),
        error == null ? null : error.trace());
  }

  static Rows newTasks() {
    return new Rows(
        "run uuid",
        "task bigint",
        "node text",
        "lane integer",
        "priority smallint",
        "first integer",
        "count integer",
        "leased integer",
        "era bigint");
  }

  /** Whether it is a step with a value, and a next step or the end of its run, and nothing else. */
  public static boolean isPlain(Settlement s) {
    return s.verdict() instanceof Settlement.Succeeded
        && s.effects().isEmpty()
        && s.changes().isSimple()
        && s.changes().results().size() == 1
        && !s.changes().results().get(0).element()
        && (s.verdict().keepsTask() || s.changes().endsRun());
  }

  /** Whether all that follows is in the moves and the results. */
  boolean isSimple() {
    for (Settlement s : all) {
      if (!isSimple(s)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSimple(Settlement s) {
    Settlement.Verdict verdict = s.verdict();
    return s.effects().isEmpty()
        && (verdict instanceof Settlement.Released
            || ((verdict instanceof Settlement.Succeeded || verdict instanceof Settlement.Skipped)
                && s.changes().isSimple()));
  }

  public List<Integer> positions() {
    List<Integer> positions = new ArrayList<>(all.size());
    for (int ord = 0; ord < all.size(); ord++) {
      positions.add(ord);
    }
    return positions;
  }
}
