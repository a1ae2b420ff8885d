package dev.standpipe.internal.port;

import dev.standpipe.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The {@code task} table and what a settled task leads to. */
public interface Tasks {
  /**
   * A lane's queue to take tasks from.
   *
   * @param lane the lane
   * @param from the place in its queue from which to look
   */
  record LaneQueue(int lane, QueuePlace from) {
    /** From the front of the queue. */
    public LaneQueue(int lane) {
      this(lane, QueuePlace.FRONT);
    }
  }

  /**
   * What {@link #claim} has taken.
   *
   * @param tasks the tasks, those of a lane in the order of its queue
   * @param more the lanes that gave all they were asked for, so that they may have more
   */
  record ClaimedBatch(List<Claimed> tasks, Set<Integer> more) {
    /** Nothing. */
    public static final ClaimedBatch NONE = new ClaimedBatch(List.of(), Set.of());
  }

  /**
   * A place in a lane's queue: by priority, the highest first, then by the order of arrival. A
   * claimer that looks from the place of its last claim on spares the database the dead versions of
   * tasks already taken; it looks from the front again from time to time, for tasks that came in
   * before that place.
   *
   * @param priority the priority
   * @param seq the order of arrival
   */
  record QueuePlace(int priority, long seq) {
    /** Before everything. */
    public static final QueuePlace FRONT = new QueuePlace(Short.MAX_VALUE, 0);
  }

  /**
   * A task as a process holds it.
   *
   * @param ref what its settlement hands back
   * @param node the key of its node
   * @param index the element's position below an expand, otherwise 0
   * @param lane its lane
   * @param priority its priority
   * @param attempt the number of the attempt to make, from 1
   * @param crashes how many processes died holding it
   * @param running whether its run is; the task of any other run is given back, not run
   * @param seq its order of arrival in the queue
   * @param input the input of its run, if it is the first step of that and came with it
   */
  record Claimed(
      TaskRef ref,
      String node,
      int index,
      int lane,
      int priority,
      int attempt,
      int crashes,
      boolean running,
      long seq,
      @Nullable String input) {
    /** A task that its inputs did not come with. */
    public Claimed(
        UUID run,
        long id,
        String node,
        int index,
        int lane,
        int priority,
        long token,
        int attempt,
        int crashes,
        boolean running,
        long seq) {
      this(
          new TaskRef(run, id, token),
          node,
          index,
          lane,
          priority,
          attempt,
          crashes,
          running,
          seq,
          null);
    }

    public UUID run() {
      return ref.run();
    }

    public long id() {
      return ref.id();
    }

    public long token() {
      return ref.token();
    }
  }

  /**
   * Names a result.
   *
   * @param run its run
   * @param node the key of its node
   * @param index its index
   */
  record ResultKey(UUID run, String node, int index) {}

  /**
   * What {@link #settle} did.
   *
   * @param fates what became of each settlement, in their order
   * @param opened the arrivals that were the last of their targets; of several in this call that
   *     arrive at one target, the first
   * @param stopped the runs that would have ended with this call, had nobody stopped them just
   *     before
   * @param followed whether a run has ended with this call whose end something follows
   * @param closed the runs that have ended with this call and might have tolerated failures
   */
  record Reply(
      List<SettlementFate> fates,
      List<Opened> opened,
      List<UUID> stopped,
      boolean followed,
      List<Closed> closed) {
    /** A reply with no run stopped and none that something follows. */
    public Reply(List<SettlementFate> fates, List<Opened> opened) {
      this(fates, opened, List.of(), false, List.of());
    }
  }

  /**
   * A run that has ended.
   *
   * @param run the run
   * @param status how
   */
  record Closed(UUID run, RunStatus status) {}

  /**
   * An arrival that has opened its target: the target's task was made as this one says, or the run
   * has ended with it.
   *
   * @param settlement the position of its settlement among those of the call
   * @param bump its position among the bumps of that
   */
  record Opened(int settlement, int bump) {}

  /** What became of a settlement. */
  enum SettlementFate {
    /** All of it is written. */
    COMMITTED,
    /**
     * All of it is written, and what follows waits: the run is paused, and the owner keeps nothing.
     */
    PARKED,
    /** The run was stopped: the outcome is written, nothing follows from it. */
    DRAINED,
    /** The task has a newer token or another owner: nothing is written. */
    STALE
  }

  /**
   * Leases ready tasks to a process: never more than asked for, never one that another process
   * holds. The lanes that have any share the limit evenly, as far as they go round in this order;
   * of each, the highest priority and the longest waiting come first. Raises each task's token.
   */
  ClaimedBatch claim(UUID owner, List<LaneQueue> queues, int limit);

  /**
   * Leases suspects of these lanes to a process: ready tasks that two or more processes have died
   * with, which {@link #claim} never returns. Raises their tokens, and notes with each how many
   * suspects the process holds then: none that may not be with so many is taken. If the process
   * dies, a suspect that was claimed with others is not charged with a crash; it may be with half
   * as many from then on.
   *
   * @param held how many suspects the process holds already
   * @param most how many more it takes at most; those that it holds must allow as many
   */
  List<Claimed> claimSuspects(UUID owner, Collection<Integer> lanes, int held, int most);

  /**
   * How steps of a node ended.
   *
   * @param skipped whether they were skipped
   * @param failed whether one of them has failed
   * @param lost whether one of them is lost
   * @param value the encoded value of the first that is not for all elements, if it has one
   */
  record NodeEnding(boolean skipped, boolean failed, boolean lost, @Nullable String value) {}

  /**
   * Names steps of a node of a run.
   *
   * @param run the run
   * @param node the key of the node
   * @param first the lowest index their rows may have
   * @param last the highest
   */
  record NodeKey(UUID run, String node, int first, int last) {
    /** All its steps. */
    public NodeKey(UUID run, String node) {
      this(run, node, -1, Integer.MAX_VALUE);
    }

    /** One step, or what stands where a row has this index. */
    public NodeKey(UUID run, String node, int index) {
      this(run, node, index, index);
    }
  }

  /** How these steps ended, in their order; all of them have. */
  List<NodeEnding> endings(List<NodeKey> keys);

  /** The encoded values of these results, in their order; {@code null} where there is none. */
  List<@Nullable String> values(List<ResultKey> keys);

  /**
   * The last turn of a loop that another one follows.
   *
   * @param turn its number, from 1
   * @param oldest the oldest turn of the loop that is stored
   * @param state what it has handed on, encoded
   */
  record LastTurn(int turn, int oldest, String state) {}

  /** The last turns of these loops, in their order; {@code null} where none is committed. */
  List<@Nullable LastTurn> lastTurns(List<ResultKey> loops);

  /** Whether a step has its outcome. */
  boolean ended(ResultKey step);

  /** The nodes of these runs that have failed steps which the runs have tolerated. */
  List<NodeKey> tolerated(Collection<UUID> runs);

  /**
   * The value of one element of a node.
   *
   * @param index its index
   * @param value its text; none if its step has failed
   */
  record Element(int index, @Nullable String value) {}

  /** The first few of a node's elements from this index to that, in element order. */
  List<Element> elements(UUID run, String node, int from, int to, int limit);

  /** The last element of an expand from this index to that, if it has any. */
  OptionalInt lastElement(UUID run, String node, int from, int to);

  /** How many tasks of these nodes of a run there are; the limit if there are more. */
  int live(UUID run, Collection<String> nodes, int limit);

  /** The indexes of the steps of a node that have succeeded, in order. */
  List<Integer> succeeded(UUID run, String node);

  /**
   * Whether a step has been put off.
   *
   * @param snoozed whether one of its tries was
   * @param now the database's time
   */
  record Waited(boolean snoozed, Instant now) {}

  /** Whether a step has been put off already, and what the time is. */
  Waited waited(ResultKey step);

  /** The encoded value of a key in a run's context. */
  Optional<String> context(UUID run, String key);

  /**
   * Settles tasks of one owner in one transaction. A settlement is written whole or not at all, and
   * only if the task is still leased to the owner with that very token. Fails as bad data if one of
   * them sets a context key once and for all that has another value.
   */
  Reply settle(UUID owner, List<Settlement> settlements);

  /**
   * Settles one task in the transaction that this store has joined. What is not the owner's any
   * more, and what belongs to a run that is stopped or paused, is refused as stale: then its
   * transaction is to be undone, also if something was written.
   */
  Reply settleJoined(UUID owner, Settlement settlement);

  /**
   * Which of these settlements are in the ledger, as result or attempt with their token: after a
   * lost reply, the ones that took effect.
   */
  List<Boolean> recorded(List<Settlement> settlements);

  /** Everything a process holds. */
  List<TaskRef> held(UUID owner);

  /**
   * Makes scheduled tasks ready whose time has come.
   *
   * @return how many
   */
  int promote(int limit);

  /** How long until the next scheduled task is due. */
  Optional<Duration> nextDue();
}
