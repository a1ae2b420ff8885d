package dev.standpipe.bench.jobrunr;

import dev.standpipe.bench.contract.Payload;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Tally;
import org.jobrunr.jobs.annotations.Job;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.BackgroundJobRequest;

/** Runs a step and enqueues the next. JobRunr makes an instance for each job. */
public final class StepHandler implements JobRequestHandler<StepRequest> {
  private static volatile Workload current = new Workload(Shape.JOB, new Tally());

  /** Says what steps belong to; one at a time in a JVM. */
  static void bind(Shape shape, Tally tally) {
    current = new Workload(shape, tally);
  }

  @Override
  @Job(name = "step", retries = 3)
  public void run(StepRequest request) throws InterruptedException {
    Workload workload = current;
    workload.tally().step(request.run());
    int next = request.step() + 1;
    if (next < workload.shape().size()) {
      BackgroundJobRequest.enqueue(
          new StepRequest(request.run(), next, workload.next(request.value())));
    } else {
      workload.tally().end(request.run());
    }
  }

  private record Workload(Shape shape, Tally tally) {
    String next(String value) {
      return shape.bytes() == 0
          ? Integer.toString(Integer.parseInt(value) + 1)
          : Payload.next(value);
    }
  }
}
