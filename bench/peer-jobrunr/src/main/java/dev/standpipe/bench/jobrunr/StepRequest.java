package dev.standpipe.bench.jobrunr;

import org.jobrunr.jobs.lambdas.JobRequest;

/** One step of a run. A class with fields, as JobRunr's documentation has them. */
public final class StepRequest implements JobRequest {
  private static final long serialVersionUID = 1;

  private int run;
  private int step;
  private String value;

  /** For Jackson. */
  StepRequest() {
    this(0, 0, "");
  }

  StepRequest(int run, int step, String value) {
    this.run = run;
    this.step = step;
    this.value = value;
  }

  int run() {
    return run;
  }

  int step() {
    return step;
  }

  String value() {
    return value;
  }

  @Override
  public Class<StepHandler> getJobRequestHandler() {
    return StepHandler.class;
  }
}
