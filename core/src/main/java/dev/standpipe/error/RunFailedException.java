package dev.standpipe.error;

import dev.standpipe.HaltReason;
import dev.standpipe.RunStatus;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A run ended, but not in success. Names the step, the attempt and the error. */
public final class RunFailedException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** How many failed steps are named. */
  public static final int MOST = 1_000;

  private final UUID run;
  private final RunStatus status;
  private final transient Optional<AttemptInfo> attempt;
  private final transient List<StepId> failed;

  /**
   * Describes how the run ended.
   *
   * @param attempt the attempt that decided it, if known
   * @param failed the steps that have failed, {@link #MOST} of them if there are more
   */
  public RunFailedException(RunInfo run, Optional<AttemptInfo> attempt, List<StepId> failed) {
    super(ErrorCode.RUN_FAILED, describe(run, attempt) + others(failed));
    this.run = run.id();
    this.status = run.status();
    this.attempt = attempt;
    this.failed = List.copyOf(failed);
  }

  /** The run. */
  public UUID run() {
    return run;
  }

  /** How it ended. */
  public RunStatus status() {
    return status;
  }

  /** The attempt that decided it. */
  public Optional<AttemptInfo> attempt() {
    return attempt;
  }

  /**
   * The steps that have failed: of a run that went on after a failure, there may be many; the first
   * {@link #MOST} are named.
   */
  public List<StepId> failed() {
    return failed;
  }

  private static String others(List<StepId> failed) {
    int more = failed.size() - 1;
    if (more < 1) {
      return "";
    }
    String least = failed.size() < MOST ? "" : "at least ";
    return "; and " + least + more + (more == 1 ? " more step" : " more steps") + " failed";
  }

  private static String describe(RunInfo run, Optional<AttemptInfo> decisive) {
    var text = new StringBuilder();
    text.append("Run ").append(run.id()).append(" of pipeline \"").append(run.pipeline());
    text.append("\" ended ").append(run.status().name().toLowerCase(java.util.Locale.ROOT));
    run.cancellation()
        .ifPresent(
            cancellation ->
                text.append(" by ")
                    .append(cancellation.by())
                    .append(": ")
                    .append(cancellation.reason()));
    run.haltReason()
        .filter(reason -> reason != HaltReason.CANCELED && reason != HaltReason.SKIPPED)
        .ifPresent(
            reason ->
                text.append(" (")
                    .append(reason.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '))
                    .append(")"));
    decisive.ifPresent(
        attempt -> {
          text.append(": step \"").append(attempt.node()).append('"');
          if (attempt.index() > 0) {
            text.append(" [").append(attempt.index()).append(']');
          }
          text.append(" failed on attempt ").append(attempt.attempt());
          attempt
              .error()
              .ifPresent(
                  error ->
                      text.append(" with ")
                          .append(error.type())
                          .append(": ")
                          .append(error.message()));
        });
    return text.toString();
  }
}
