package dev.standpipe.internal.engine.expand;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.claim.BodyDispatcher;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.loop.PeriodicDuty;
import dev.standpipe.internal.port.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Expands that wait until fewer of their elements' steps are live. They hold no thread and no room,
 * or those steps could not be taken; and they keep their streams open. Thread-safe.
 */
public final class ExpandWindows implements PeriodicDuty {
  private static final Duration AGAIN = Duration.ofMillis(20);

  private final ProcessState processState;
  private final BodyDispatcher dispatcher;
  private final Tasks tasks;
  private final Duration idle;
  private final Queue<Attempt> waiting = new ConcurrentLinkedQueue<>();
  private volatile boolean resting = true;
  private final Runnable wake;

  /**
   * Looks at the tries that wait.
   *
   * @param idle how long it waits for the next look while none does
   * @param wake has {@link #perform} called soon, when one begins to wait
   */
  public ExpandWindows(
      ProcessState processState,
      BodyDispatcher dispatcher,
      Tasks tasks,
      Duration idle,
      Runnable wake) {
    this.processState = processState;
    this.dispatcher = dispatcher;
    this.tasks = tasks;
    this.idle = idle;
    this.wake = wake;
  }

  /** Has an expand wait for another look. */
  public void await(Attempt attempt) {
    if (!processState.capacity().mayGoOn()) {
      processState.giveBack(attempt);
      return;
    }
    processState.inFlight().setAside(attempt); // first: a thread that ends it must see it
    if (!attempt.pause()) {
      processState.inFlight().takeBack(attempt);
    } else {
      waiting.add(attempt);
      processState.madeRoom();
      if (resting) {
        wake.run();
      }
    }
  }

  @Override
  public String name() {
    return "windows";
  }

  /** One pass: all that wait may look again. Says how long to wait for the next. */
  @Override
  public Duration perform() {
    List<Attempt> turn = new ArrayList<>();
    for (Attempt attempt = waiting.poll(); attempt != null; attempt = waiting.poll()) {
      processState.inFlight().takeBack(attempt);
      if (processState.capacity().mayGoOn()) {
        turn.add(attempt);
      } else {
        processState.giveBack(attempt);
      }
    }
    resting = turn.isEmpty();
    if (resting) {
      return idle;
    }
    dispatcher.dispatch(tasks, turn);
    return AGAIN;
  }
}
