package dev.standpipe.internal.engine.substep;

import dev.standpipe.StepContext.OnceValue;
import dev.standpipe.error.AttemptOverException;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.port.Settlement.CheckpointDone;
import dev.standpipe.internal.port.Settlement.StepEffect;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks.ResultKey;
import dev.standpipe.internal.substep.StoredSubSteps.Checkpoint;
import dev.standpipe.internal.substep.StoredSubSteps.Memo;
import dev.standpipe.internal.substep.StoredSubSteps.StoredMemo;
import dev.standpipe.internal.substep.StoredSubSteps.SubStep;
import dev.standpipe.internal.substep.StoredSubSteps.TryWrite;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The sub-steps and the checkpoint of one try, as its body sees them. Thread-safe. */
public final class TryMemory {
  private static final int LONGEST_KEY = 200;

  /** How often a body that waits looks whether its try is over. */
  private static final Duration LOOK = Duration.ofMillis(100);

  /** How many of these looks a write has that came when the try was over already. */
  private static final int LAST_LOOKS = 5;

  private final TrySubject subject;
  private final TryMemoryDeps deps;
  private final ResultKey step;
  private final ReentrantLock checkpointing = new ReentrantLock();
  private @Nullable Map<String, OnceCell> cells; // guarded by this; most bodies have none
  private @Nullable String checkpoint; // guarded by checkpointing
  private boolean checkpointRead; // guarded by checkpointing
  private volatile boolean hasCheckpoint;
  private volatile boolean unreachable;
  private volatile boolean refused;
  private volatile boolean closed;

  /**
   * What all tries of a process have in common.
   *
   * @param store where earlier tries have left something
   * @param codec reads and writes values
   * @param writes hands a write to a committer
   * @param machine has threads wait
   * @param events hears of a write that was refused
   */
  public record TryMemoryDeps(
      Store store,
      PayloadCodec codec,
      Consumer<PendingWrite> writes,
      Machine machine,
      Events events) {}

  /**
   * A try.
   *
   * @param owner the process that holds its task
   * @param ref its task
   * @param step the step that it is a try at
   * @param canceled whether its result is not wanted any more
   */
  public record TrySubject(UUID owner, TaskRef ref, Event.Step step, BooleanSupplier canceled) {}

  public TryMemory(TrySubject subject, TryMemoryDeps deps) {
    this.subject = subject;
    this.deps = deps;
    this.step = new ResultKey(subject.ref().run(), subject.step().node(), subject.step().index());
  }

  /**
   * The stored value of a call, which is made first if no try of the step has made it. The codec
   * reads it as this type.
   */
  @SuppressWarnings({"unchecked", "NullAway"})
  public <T extends @Nullable Object, E extends Exception> T once(
      String key, Type type, OnceValue<T, E> call) throws E {
    requireKey(key);
    requireOpen();
    OnceCell cell = cells().computeIfAbsent(key, absent -> new OnceCell());
    if (cell.lock.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "The call once(\"" + key + "\") is inside of itself: give the inner one another key");
    }
    lock(cell.lock);
    try {
      String text = cell.text();
      if (text == null) {
        requireGoingOn();
        text = deps.codec().encode(call.get(), type);
        cell.returned(text, send(new SubStep(key, text)));
      }
      PendingWrite write = cell.write();
      if (write != null) {
        awaitWritten(write);
      }
      return (T) decode(text, type);
    } finally {
      cell.lock.unlock();
    }
  }

  /** Replaces the step's checkpoint. */
  public void checkpoint(@Nullable Object value, Type type) {
    requireOpen();
    String text = deps.codec().encode(value, type);
    lock(checkpointing);
    try {
      hasCheckpoint = true;
      awaitWritten(send(new Checkpoint(text)));
      checkpoint = text;
      checkpointRead = true;
    } finally {
      checkpointing.unlock();
    }
  }

  /** The step's last checkpoint. */
  public Optional<Object> checkpoint(Type type) {
    requireOpen();
    lock(checkpointing);
    try {
      if (!checkpointRead) {
        checkpoint =
            read(() -> deps.store().subSteps().checkpoint(step)).map(this::earlier).orElse(null);
        checkpointRead = true;
        hasCheckpoint |= checkpoint != null;
      }
      return checkpoint == null ? Optional.empty() : Optional.ofNullable(decode(checkpoint, type));
    } finally {
      checkpointing.unlock();
    }
  }

  /** What is to be committed with the step for its sake. */
  public List<StepEffect> effects() {
    return hasCheckpoint ? List.of(new CheckpointDone()) : List.of();
  }

  /** Whether the try has lost its task, or could not ask the database: not the body's fault. */
  public boolean isBlameless() {
    return refused || unreachable;
  }

  /** The body has returned. */
  public void close() {
    closed = true;
  }

  private synchronized Map<String, OnceCell> cells() {
    Map<String, OnceCell> known = cells;
    if (known == null) {
      Map<String, OnceCell> stored = new ConcurrentHashMap<>();
      read(() -> deps.store().subSteps().subSteps(step))
          .forEach((key, memo) -> stored.put(key, new OnceCell(earlier(memo))));
      known = stored;
      cells = known;
    }
    return known;
  }

  /** A try that finds what a newer one has written is over, whatever it was about to do. */
  private String earlier(StoredMemo memo) {
    if (memo.token() > subject.ref().token()) {
      refused = true;
      throw over("its task was taken from it");
    }
    return memo.value();
  }

  /** A question to the database. */
  @FunctionalInterface
  private interface StoredRead<T> {
    T get();
  }

  private <T> T read(StoredRead<T> question) {
    try {
      return question.get();
    } catch (StoreException e) {
      unreachable = true;
      throw e.forCallers();
    }
  }

  private @Nullable Object decode(String text, Type type) {
    return deps.codec().decode(text, type);
  }

  private PendingWrite send(Memo memo) {
    TryWrite write = new TryWrite(subject.ref(), step.node(), step.index(), memo);
    PendingWrite pending = new PendingWrite(subject.owner(), write, new CompletableFuture<>());
    deps.writes().accept(pending);
    return pending;
  }

  /**
   * Waits until it is written. What is on its way when the try is over is still written if the task
   * is the try's, for the next one; but nobody waits for that for long.
   */
  private void awaitWritten(PendingWrite write) {
    try {
      for (int late = 0; !deps.machine().await(write.reply(), LOOK); ) {
        if (subject.canceled().getAsBoolean() && ++late > LAST_LOOKS) {
          throw over("it was stopped");
        }
      }
      if (!write.reply().join()) {
        if (!refused) {
          refused = true;
          deps.events().publish(new Event.StaleWriteBlocked(subject.step(), subject.owner()));
        }
        throw over("its task was taken from it");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw over("its thread was interrupted");
    } catch (CompletionException e) {
      if (e.getCause() instanceof StandpipeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private void lock(ReentrantLock lock) {
    try {
      while (!lock.tryLock(LOOK.toNanos(), TimeUnit.NANOSECONDS)) {
        requireGoingOn();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw over("its thread was interrupted");
    }
  }

  private void requireGoingOn() {
    if (refused) {
      throw over("its task was taken from it");
    }
    if (subject.canceled().getAsBoolean()) {
      throw over("it was stopped");
    }
  }

  private AttemptOverException over(String why) {
    return new AttemptOverException(
        subject.step().run(), subject.step().node(), subject.step().index(), why);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(
          "The body of \""
              + step.node()
              + "\" has returned: sub-steps and checkpoints are for the time that it runs");
    }
  }

  private static void requireKey(String key) {
    boolean storable =
        key.codePoints()
            .noneMatch(
                c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
    if (key.isBlank() || key.length() > LONGEST_KEY || !storable) {
      throw new IllegalArgumentException(
          "The key of a sub-step has 1 to 200 characters, not all blank, without NUL and without"
              + " half surrogate pairs");
    }
  }
}
