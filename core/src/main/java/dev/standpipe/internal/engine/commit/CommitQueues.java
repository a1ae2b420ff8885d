package dev.standpipe.internal.engine.commit;

import dev.standpipe.internal.engine.execute.Outcome;
import dev.standpipe.internal.engine.expand.ExpandThrottle;
import dev.standpipe.internal.engine.substep.PendingWrite;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What has finished and waits for the committers. All of a run goes to one of them, which counts
 * its arrivals at a fan-in together; if that has too much to do, another helps out. Thread-safe.
 */
public final class CommitQueues {
  private final List<CommitQueue> queues;
  private final int maxBatch;
  private final ExpandThrottle throttle;
  private final IntConsumer wakeCommitter;

  /**
   * A queue for each of so many committers.
   *
   * @param maxBatch how many values one commit writes
   * @param throttle learns how many elements expands have
   * @param wakeCommitter has the committer with this number commit soon
   */
  public CommitQueues(
      int committers, int maxBatch, ExpandThrottle throttle, IntConsumer wakeCommitter) {
    this.queues = Stream.generate(CommitQueue::new).limit(committers).toList();
    this.maxBatch = maxBatch;
    this.throttle = throttle;
    this.wakeCommitter = wakeCommitter;
  }

  /** Queues what has finished for the next commit. */
  public void add(Outcome outcome) {
    throttle.observe(outcome);
    int which = Math.floorMod(outcome.attempt().ref.affinity(), queues.size());
    queues.get(which).add(outcome);
    wakeCommitter.accept(which);
    if (queues.get(which).size() > maxBatch) {
      IntStream.range(0, queues.size()).forEach(wakeCommitter);
    }
  }

  /** Queues what a try writes before it ends. */
  public void write(PendingWrite write) {
    int which = Math.floorMod(write.write().ref().affinity(), queues.size());
    queues.get(which).add(write);
    wakeCommitter.accept(which);
  }

  /** What the committer with this number commits. */
  public Committer.Queues of(int which) {
    CommitQueue own = queues.get(which);
    List<CommitQueue> others = queues.stream().filter(other -> other != own).toList();
    return new Committer.Queues(own, others, maxBatch);
  }
}
