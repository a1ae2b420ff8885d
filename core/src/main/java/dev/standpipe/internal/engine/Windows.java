package dev.standpipe.internal.engine;

import dev.standpipe.spi.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Expands that wait until fewer of their elements' steps are live. They hold no thread and no room,
 * or those steps could not be taken; and they keep open what they read from. Thread-safe.
 */
final class Windows {
  private static final Duration AGAIN = Duration.ofMillis(20);

  private final Crew crew;
  private final Tasks tasks;
  private final Duration idle;
  private final Queue<Work> waiting = new ConcurrentLinkedQueue<>();
  private volatile boolean resting = true;
  private volatile Runnable wake = () -> {};

  Windows(Crew crew, Tasks tasks, Duration idle) {
    this.crew = crew;
    this.tasks = tasks;
    this.idle = idle;
  }

  /** Has its loop look soon when one begins to wait. */
  void onWait(Runnable wakeLoop) {
    this.wake = wakeLoop;
  }

  /** Has an expand wait for another look. */
  void await(Work work) {
    if (!crew.hold().mayGoOn()) {
      crew.giveBack(work);
      return;
    }
    crew.hold().setAside(work); // first, so that whoever ends it meanwhile sees it
    if (!work.pause()) {
      crew.hold().takeBack(work);
    } else {
      waiting.add(work);
      crew.madeRoom();
      if (resting) {
        wake.run();
      }
    }
  }

  /** One pass: all that wait may look again. Says how long to wait for the next. */
  Duration look() {
    List<Work> turn = new ArrayList<>();
    for (Work work = waiting.poll(); work != null; work = waiting.poll()) {
      crew.hold().takeBack(work);
      if (crew.hold().mayGoOn()) {
        turn.add(work);
      } else {
        crew.giveBack(work);
      }
    }
    resting = turn.isEmpty();
    if (resting) {
      return idle;
    }
    crew.dispatch(tasks, turn);
    return AGAIN;
  }
}
