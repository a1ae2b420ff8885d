package dev.standpipe.internal.engine.commit;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.standpipe.error.InvalidValueException;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.engine.execute.ErrorText;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.engine.substep.PendingWrite;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.internal.port.TaskRef;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what tries write before they end, all that has come from any body in one transaction, and
 * answers the bodies that wait.
 *
 * <p>A batch whose reply was lost is sent again as it is: the store knows the rows that took
 * effect. A batch that is refused for another reason is halved. A write that is refused alone is
 * put aside for a while, so that it holds up no other; after some time its body is told.
 */
final class TryWriter {
  private static final Logger LOG = LoggerFactory.getLogger(TryWriter.class);
  private static final Duration ASIDE = Duration.ofMillis(500);

  /** How often a write that fails alone is tried: about ten seconds. */
  private static final int MOST_ALONE = 20;

  private static final Comparator<PendingWrite> LOCK_ORDER =
      Comparator.comparing(pending -> pending.write().ref(), TaskRef.LOCK_ORDER);

  private final Store store;
  private final CommitQueue queue;
  private final int maxBatch;
  private final long maxBytes;
  private final Machine machine;
  private final Deque<WriteBatch> unwritten = new ArrayDeque<>();
  private final List<WriteBatch> aside = new ArrayList<>();
  private long asideUntil;

  /** Writes of one owner, and how often they were refused. */
  private record WriteBatch(List<PendingWrite> writes, int refusals) {}

  TryWriter(Store store, CommitQueue queue, int maxBatch, long maxBytes, Machine machine) {
    this.store = store;
    this.queue = queue;
    this.maxBatch = maxBatch;
    this.maxBytes = maxBytes;
    this.machine = machine;
  }

  /** One pass; says whether there was something to write. */
  boolean flush() {
    if (!aside.isEmpty() && machine.nanoTime() - asideUntil >= 0) {
      unwritten.addAll(aside);
      aside.clear();
    }
    if (unwritten.isEmpty()) {
      byOwner(queue.takeWrites(maxBatch, maxBytes))
          .forEach(writes -> unwritten.add(new WriteBatch(writes, 0)));
    }
    WriteBatch batch = unwritten.peek();
    if (batch != null) {
      write(batch);
    }
    return batch != null;
  }

  /** Whether nothing is left to write. */
  boolean isDone() {
    return unwritten.isEmpty() && aside.isEmpty();
  }

  /** A lost connection passes, and the batch stays: whether it took effect is not known. */
  private void write(WriteBatch batch) {
    List<PendingWrite> writes = batch.writes();
    try {
      List<Boolean> written =
          store
              .subSteps()
              .write(writes.get(0).owner(), writes.stream().map(PendingWrite::write).toList());
      unwritten.pop();
      for (int i = 0; i < writes.size(); i++) {
        writes.get(i).reply().complete(written.get(i));
      }
    } catch (StoreException e) {
      if (e.failure() == StoreFailure.CONNECTION) {
        throw e;
      }
      refused(batch, e.failure() == StoreFailure.DATA ? invalid(e) : e.forCallers());
    } catch (RuntimeException | Error e) { // above all for want of memory
      LOG.error("event=sub_steps_failed writes={}: {}", writes.size(), ErrorText.text(e));
      refused(batch, invalid(e));
    }
  }

  private void refused(WriteBatch batch, StandpipeException why) {
    unwritten.pop();
    List<PendingWrite> writes = batch.writes();
    int refusals = batch.refusals() + 1;
    if (writes.size() > 1) {
      int half = writes.size() / 2;
      unwritten.push(new WriteBatch(writes.subList(half, writes.size()), 0));
      unwritten.push(new WriteBatch(writes.subList(0, half), 0));
    } else if (refusals == MOST_ALONE || why instanceof InvalidValueException) {
      writes.get(0).reply().completeExceptionally(why);
    } else {
      aside.add(new WriteBatch(writes, refusals));
      asideUntil = machine.nanoTime() + ASIDE.toNanos();
    }
  }

  private static InvalidValueException invalid(Throwable cause) {
    return new InvalidValueException(
        "The database did not take the value of a sub-step or checkpoint: " + ErrorText.text(cause),
        cause);
  }

  /** Nearly always one batch: only a process that lost its lease has tries of two owners. */
  private static Collection<List<PendingWrite>> byOwner(List<PendingWrite> writes) {
    return writes.stream()
        .sorted(LOCK_ORDER)
        .collect(groupingBy(PendingWrite::owner, LinkedHashMap::new, toList()))
        .values();
  }
}
