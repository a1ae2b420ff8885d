package dev.standpipe.internal.port;

import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.operate.Pause;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Runs and lanes of which nothing is taken for now. */
public interface Pauses {
  /**
   * What a process is not to take, and to give back if it has not begun it.
   *
   * @param lanes lanes
   * @param runs runs of which a process held a task when they were paused
   */
  record Paused(Set<Integer> lanes, Set<UUID> runs) {
    /** Whether there is nothing. */
    public boolean isEmpty() {
      return lanes.isEmpty() && runs.isEmpty();
    }
  }

  /**
   * Pauses a run that is running: its tasks that no process holds are parked, and so are the tasks
   * that follow from those that a process holds.
   *
   * @return {@code false} if it is paused already or not running; nothing was changed then
   */
  boolean pause(UUID run, Audited audited);

  /**
   * Lets a run go on, with all of it that was parked.
   *
   * @return {@code false} if it is not paused; nothing was changed then
   */
  boolean resume(UUID run, Audited audited);

  /** Pauses all lanes of a pipeline, those to come as well; {@code false} if they are paused. */
  boolean pause(String pipeline, Audited audited);

  /** Ends the pause of a whole pipeline; {@code false} if there is none. */
  boolean resume(String pipeline, Audited audited);

  /** Pauses one lane of a pipeline; {@code false} if it is paused. */
  boolean pause(String pipeline, int lane, Audited audited);

  /** Ends the pause of a lane; {@code false} if there is none. */
  boolean resume(String pipeline, int lane, Audited audited);

  /** The lanes and runs of which no task is to be taken. */
  Paused look();

  /** Takes a run off those that {@link #look} names, if no process holds a task of it any more. */
  void calm(UUID run);

  /** The pipelines and lanes that are paused. */
  List<Pause> list();
}
