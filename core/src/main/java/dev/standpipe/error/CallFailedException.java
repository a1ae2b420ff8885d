package dev.standpipe.error;

import dev.standpipe.info.RunInfo;
import java.util.Locale;
import java.util.UUID;

/** A run that a step has called did not succeed, and so neither does the step. */
public final class CallFailedException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  private final UUID run;

  /** Says what became of the called run. */
  public CallFailedException(RunInfo called) {
    super(
        ErrorCode.CALL_FAILED,
        "The called run %s of \"%s\" has ended %s%s%s"
            .formatted(
                called.id(),
                called.pipeline(),
                words(called.status()),
                called.haltReason().map(reason -> " (" + words(reason) + ")").orElse(""),
                called.haltNode().map(node -> ", at step \"" + node + "\"").orElse("")));
    this.run = called.id();
  }

  private static String words(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** The called run. */
  public UUID run() {
    return run;
  }
}
