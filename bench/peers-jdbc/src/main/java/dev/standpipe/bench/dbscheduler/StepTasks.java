package dev.standpipe.bench.dbscheduler;

import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import dev.standpipe.bench.contract.Payload;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Tally;
import java.util.List;
import java.util.stream.IntStream;

/** A chain as a task for each step. */
final class StepTasks {
  private StepTasks() {}

  static List<Task<?>> of(Shape shape, Tally tally) {
    return IntStream.range(0, shape.size())
        .<Task<?>>mapToObj(step -> task(step, shape, tally))
        .toList();
  }

  static String name(int step) {
    return "step-" + step;
  }

  private static Task<String> task(int step, Shape shape, Tally tally) {
    return Tasks.custom(name(step), String.class)
        .onFailureReschedule(FixedDelay.ofSeconds(1))
        .onDeadExecutionRevive()
        .execute((instance, context) -> run(instance, step, shape, tally));
  }

  private static CompletionHandler<String> run(
      TaskInstance<String> instance, int step, Shape shape, Tally tally) {
    int run = Integer.parseInt(instance.getId());
    try {
      tally.step(run);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (step + 1 == shape.size()) {
      return new CompletionHandler.OnCompleteRemove<>();
    }
    return new CompletionHandler.OnCompleteReplace<>(name(step + 1), next(instance, shape));
  }

  private static String next(TaskInstance<String> instance, Shape shape) {
    String value = instance.getData();
    return shape.bytes() == 0 ? Integer.toString(Integer.parseInt(value) + 1) : Payload.next(value);
  }
}
