package dev.standpipe.bench.dbscheduler;

import com.github.kagkarlsson.scheduler.event.AbstractSchedulerListener;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Tally;

/** Hears of the last step of a run when its completion has been committed. */
final class Completions extends AbstractSchedulerListener {
  private final String last;
  private final Tally tally;

  Completions(Shape shape, Tally tally) {
    this.last = StepTasks.name(shape.size() - 1);
    this.tally = tally;
  }

  @Override
  public void onExecutionComplete(ExecutionComplete complete) {
    if (complete.getExecution().getTaskName().equals(last)) {
      tally.end(Integer.parseInt(complete.getExecution().getId()));
    }
  }
}
