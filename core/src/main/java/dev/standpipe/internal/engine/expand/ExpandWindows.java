package dev.standpipe.internal.engine.expand;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.port.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Expands that wait until fewer of their elements' steps are live. They hold no thread and no room,
 * or those steps could not be taken; and they keep open what they read from. Thread-safe.
 */
public final class ExpandWindows {
  private static final Duration AGAIN = Duration.ofMillis(20);

  private final ProcessState processState;
  private final Tasks tasks;
  private final Duration idle;
  private final Queue<Attempt> waiting = new ConcurrentLinkedQueue<>();
  private volatile boolean resting = true;
  private volatile Runnable wake = () -> {};

  public ExpandWindows(ProcessState processState, Tasks tasks, Duration idle) {
    this.processState = processState;
    this.tasks = tasks;
    this.idle = idle;
  }

  /** Has its loop look soon when one begins to wait. */
  public void onWait(Runnable wakeLoop) {
    this.wake = wakeLoop;
  }

  /** Has an expand wait for another look. */
  public void await(Attempt work) {
    if (!processState.hold().mayGoOn()) {
      processState.giveBack(work);
      return;
    }
    processState.hold().setAside(work); // first, so that whoever ends it meanwhile sees it
    if (!work.pause()) {
      processState.hold().takeBack(work);
    } else {
      waiting.add(work);
      processState.madeRoom();
      if (resting) {
        wake.run();
      }
    }
  }

  /** One pass: all that wait may look again. Says how long to wait for the next. */
  public Duration look() {
    List<Attempt> turn = new ArrayList<>();
    for (Attempt work = waiting.poll(); work != null; work = waiting.poll()) {
      processState.hold().takeBack(work);
      if (processState.hold().mayGoOn()) {
        turn.add(work);
      } else {
        processState.giveBack(work);
      }
    }
    resting = turn.isEmpty();
    if (resting) {
      return idle;
    }
    processState.dispatch(tasks, turn);
    return AGAIN;
  }
}
