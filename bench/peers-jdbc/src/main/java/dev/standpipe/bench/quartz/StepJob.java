package dev.standpipe.bench.quartz;

import dev.standpipe.bench.contract.Payload;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Tally;
import org.quartz.Job;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.SchedulerException;

/** One step of a run, which schedules the next. */
record StepJob(Shape shape, Tally tally) implements Job {
  @Override
  public void execute(JobExecutionContext context) throws JobExecutionException {
    JobDataMap data = context.getMergedJobDataMap();
    int run = Integer.parseInt(data.getString(QuartzEngine.RUN));
    int next = Integer.parseInt(data.getString(QuartzEngine.STEP)) + 1;
    try {
      tally.step(run);
      if (next < shape.size()) {
        String value = next(data.getString(QuartzEngine.VALUE));
        context.getScheduler().scheduleJob(QuartzEngine.trigger(run, next, value));
      } else {
        tally.end(run);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (SchedulerException e) {
      throw new JobExecutionException(e);
    }
  }

  private String next(String value) {
    return shape.bytes() == 0 ? Integer.toString(Integer.parseInt(value) + 1) : Payload.next(value);
  }
}
