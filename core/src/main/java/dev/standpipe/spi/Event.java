package dev.standpipe.spi;

import dev.standpipe.RunStatus;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.StepError;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * Something that happened in this process. Each kind has a stable name, which is also how it is
 * logged.
 */
public sealed interface Event {
  /** The stable name of this kind of event, such as {@code lease_acquired}. */
  String name();

  /**
   * Which try at which step.
   *
   * @param run the run
   * @param node the key of the node
   * @param index the index
   * @param token the fencing token of the try
   * @param attempt the number of the try
   */
  record Step(UUID run, String node, int index, long token, int attempt) {}

  /** This process holds a step now. */
  record LeaseAcquired(Step step, UUID process) implements Event {
    @Override
    public String name() {
      return "lease_acquired";
    }
  }

  /** A body begins. */
  record ExecutionStarted(Step step) implements Event {
    @Override
    public String name() {
      return "execution_started";
    }
  }

  /** A step's success is committed. */
  record ExecutionSucceeded(Step step, Duration elapsed) implements Event {
    @Override
    public String name() {
      return "execution_succeeded";
    }
  }

  /** A turn of a loop is committed, and another one follows after the delay. */
  record TurnFinished(Step step, int turn, Duration elapsed, Duration delay) implements Event {
    @Override
    public String name() {
      return "turn_finished";
    }
  }

  /** A failed try is committed. */
  record ExecutionFailed(
      Step step, String pipeline, AttemptOutcome outcome, StepError error, boolean terminal)
      implements Event {
    @Override
    public String name() {
      return "execution_failed";
    }
  }

  /** Another try will follow. */
  record RetryScheduled(Step step, Duration delay) implements Event {
    @Override
    public String name() {
      return "retry_scheduled";
    }
  }

  /** A body asked to be run again later, without having failed. */
  record StepSnoozed(Step step, Duration delay) implements Event {
    @Override
    public String name() {
      return "step_snoozed";
    }
  }

  /** The outcome of a try was refused: the step has a newer token or another owner. */
  record StaleWriteBlocked(Step step, UUID process) implements Event {
    @Override
    public String name() {
      return "stale_write_blocked";
    }
  }

  /**
   * A try is over, and its body is not: it ran out of time, was cut off after a cancel, or was
   * given back by a process that stops, and has not heeded the interrupt yet. From here on the
   * step's next body may run beside it.
   */
  record BodyStillRunning(Step step, UUID process) implements Event {
    @Override
    public String name() {
      return "body_still_running";
    }
  }

  /** A step was given back unfinished, nothing counted. */
  record StepReleased(Step step) implements Event {
    @Override
    public String name() {
      return "step_released";
    }
  }

  /** A run ended, seen by the process that ended it. */
  record RunFinished(UUID run, String pipeline, RunStatus status) implements Event {
    @Override
    public String name() {
      return "run_finished";
    }
  }

  /** This process has joined. */
  record ProcessStarted(UUID process, String processName) implements Event {
    @Override
    public String name() {
      return "process_started";
    }
  }

  /** This process has left in good order. */
  record ProcessStopped(UUID process) implements Event {
    @Override
    public String name() {
      return "process_stopped";
    }
  }

  /** A process whose lease ran out was taken off, and its steps made ready again. */
  record ProcessReaped(UUID process, String processName, int tasks) implements Event {
    @Override
    public String name() {
      return "process_reaped";
    }
  }

  /**
   * This process holds a suspect now: a step that several processes have died with.
   *
   * @param step the try
   * @param crashes how many
   * @param alone whether one more death would get it quarantined, so that nothing else runs beside
   */
  record SuspectClaimed(Step step, int crashes, boolean alone) implements Event {
    @Override
    public String name() {
      return "suspect_claimed";
    }
  }

  /** A step has used up its crash limit: it is in quarantine, and its run halts. */
  record StepQuarantined(Step step, int crashes) implements Event {
    @Override
    public String name() {
      return "step_quarantined";
    }
  }

  /** This process could not renew its lease in time: it has interrupted its work. */
  record LeaseLost(UUID process, String reason) implements Event {
    @Override
    public String name() {
      return "lease_lost";
    }
  }

  /** No run could be started for an instant of a schedule. */
  record ScheduleFailed(String schedule, Instant at, String error) implements Event {
    @Override
    public String name() {
      return "schedule_failed";
    }
  }

  /** A sink fails; the relay tries again after a pause that grows. Told once until it works. */
  record SinkFailing(String sink, String error) implements Event {
    @Override
    public String name() {
      return "sink_failing";
    }
  }

  /** A sink that failed works again. */
  record SinkBack(String sink) implements Event {
    @Override
    public String name() {
      return "sink_back";
    }
  }

  /** A sink has refused an event for too often: it is a dead letter, for an operator to see. */
  record EventUndeliverable(String sink, UUID event, String type, String error) implements Event {
    @Override
    public String name() {
      return "event_undeliverable";
    }
  }

  /** There is work of a definition that no live process serves. */
  record WorkUnserved(String pipeline, String definition) implements Event {
    @Override
    public String name() {
      return "work_unserved";
    }
  }

  /** A part of this process has not come back from a pass for long: it was interrupted. */
  record PartStuck(String part, Duration since) implements Event {
    @Override
    public String name() {
      return "part_stuck";
    }
  }

  /** A part of this process had died, or hung for good, and was started again. */
  record PartRestarted(String part, String reason) implements Event {
    @Override
    public String name() {
      return "part_restarted";
    }
  }

  /** A supervisor has started a child process. */
  record ChildStarted(int child, long pid) implements Event {
    @Override
    public String name() {
      return "child_started";
    }
  }

  /** A supervisor kills a child that lives and has lost its lease. */
  record ChildStale(int child, long pid) implements Event {
    @Override
    public String name() {
      return "child_stale";
    }
  }

  /** A child has ended; its supervisor has made the steps it held ready again. */
  record ChildEnded(int child, long pid, int exitCode, int tasks) implements Event {
    @Override
    public String name() {
      return "child_ended";
    }
  }

  /** The database cannot be used at the moment; this process keeps trying. */
  record DatabaseLost(String part, String reason) implements Event {
    @Override
    public String name() {
      return "database_lost";
    }
  }

  /** The database can be used again. */
  record DatabaseBack(String part) implements Event {
    @Override
    public String name() {
      return "database_back";
    }
  }
}
