package dev.standpipe.internal.engine.claim;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.ServedPipelines;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.lease.ProcessLease;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.ClaimedBatch;
import dev.standpipe.internal.port.Tasks.LaneQueue;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes tasks that are ready, as many as there is room for, shared evenly among the lanes that have
 * any: one pipeline's backlog does not starve another's, and a pipeline without work takes nothing
 * of the room.
 */
public final class Claimer {
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(5);
  private static final Duration PATIENCE = Duration.ofMillis(50);

  private final Tasks tasks;
  private final ProcessState processState;
  private final BodyDispatcher dispatcher;
  private final ServedPipelines servedPipelines;
  private final Duration longestWait;
  private final Machine machine;
  private final QueuePlaces places;
  private final LaneTurns turns;
  private final UnknownNodeTasks unknownNodeTasks = new UnknownNodeTasks();
  private Duration wait = SHORTEST_WAIT;
  private long claimedAt;

  public Claimer(
      Tasks tasks,
      ProcessState processState,
      BodyDispatcher dispatcher,
      ServedPipelines servedPipelines,
      Duration pollInterval,
      Machine machine) {
    this.tasks = tasks;
    this.processState = processState;
    this.dispatcher = dispatcher;
    this.servedPipelines = servedPipelines;
    this.longestWait = pollInterval;
    this.machine = machine;
    this.places = new QueuePlaces(machine);
    this.turns = new LaneTurns(processState.lease().id());
    this.claimedAt = machine.nanoTime();
  }

  /** One pass; says how long to wait for the next, unless woken. */
  public Duration poll() {
    ProcessLease lease = processState.lease();
    if (!lease.isTrusted() || processState.isDraining()) {
      return longestWait;
    }
    Capacity capacity = processState.capacity();
    List<Integer> lanes = capacity.open(servedPipelines.lanes());
    if (lanes.isEmpty()) {
      return longestWait;
    }
    int room = processState.backpressure().bearable(capacity.room(), capacity.limit());
    if (room == 0) {
      return longestWait;
    }
    int wanted = isWorthwhile(room, capacity.limit()) ? capacity.reserve(room) : 0;
    if (wanted == 0) {
      return PATIENCE;
    }
    claimedAt = machine.nanoTime();
    List<Attempt> attempts;
    try {
      attempts = processState.inFlight().moving(() -> claim(lease, lanes, wanted));
    } catch (RuntimeException | Error e) { // whatever failed, the claim may have taken effect
      capacity.unreserve(wanted);
      processState.doubt();
      throw e;
    }
    dispatcher.dispatch(tasks, attempts);
    unknownNodeTasks.settle(tasks, processState);
    return next(attempts.size());
  }

  /**
   * Few tasks at a time cost as much as many: waits until a quarter of the limit is free, but not
   * for long, since the bodies that keep the rest busy may do so for hours.
   */
  private boolean isWorthwhile(int room, int limit) {
    return room * 4 >= limit || machine.nanoTime() - claimedAt >= PATIENCE.toNanos();
  }

  private List<Attempt> claim(ProcessLease lease, List<Integer> lanes, int wanted) {
    List<Integer> order = turns.order(lanes);
    List<LaneQueue> queues = places.of(order);
    long startedAt = machine.nanoTime();
    ClaimedBatch batch = tasks.claim(lease.id(), queues, wanted);
    places.claimed(queues, batch, wanted, machine.nanoTime() - startedAt);
    turns.claimed(order, batch.tasks(), wanted);
    processState.capacity().unreserve(wanted - batch.tasks().size());
    List<Attempt> attempts = new ArrayList<>(batch.tasks().size());
    for (Claimed task : batch.tasks()) {
      if (unknownNodeTasks.take(lease.id(), servedPipelines.pipeline(task.lane()), task)) {
        processState.capacity().unreserve(1);
        continue;
      }
      Attempt attempt = Attempt.of(lease.id(), servedPipelines.pipeline(task.lane()), task);
      processState.inFlight().add(attempt);
      announce(attempt, lease);
      if (task.running()) {
        attempts.add(attempt);
      } else {
        processState.giveBack(attempt);
      }
    }
    processState.moreReady(!batch.more().isEmpty());
    return attempts;
  }

  private void announce(Attempt attempt, ProcessLease lease) {
    if (processState.events().perStep()) {
      processState.events().publish(new Event.LeaseAcquired(attempt.step(), lease.id()));
    }
  }

  private Duration next(int claimed) {
    if (claimed > 0) {
      wait = SHORTEST_WAIT;
    }
    if (processState.isMoreReady()) {
      return Duration.ZERO;
    }
    Duration now = wait;
    wait = wait.multipliedBy(2).compareTo(longestWait) < 0 ? wait.multipliedBy(2) : longestWait;
    return now;
  }
}
