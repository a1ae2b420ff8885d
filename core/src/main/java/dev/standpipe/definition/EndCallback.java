package dev.standpipe.definition;

/**
 * What can follow the end of a run, as a run of its own: of a hidden pipeline that belongs to the
 * run's pipeline and is served with it.
 */
public enum EndCallback {
  /** A callback when the run has succeeded. */
  ON_SUCCESS("onSuccess"),
  /** A callback when a failure has ended the run. */
  ON_FAILURE("onFailure"),
  /** A callback when the run was halted. */
  ON_HALT("onHalt"),
  /** A callback however the run has ended. */
  ON_COMPLETE("onComplete"),
  /** Emits an event however the run has ended. */
  PUBLISH("publish"),
  /** Undoes the steps that have succeeded. */
  COMPENSATE("compensate");

  /** No user's pipeline can have it in its name. */
  private static final char MARK = '$';

  private final String word;

  EndCallback(String word) {
    this.word = word;
  }

  /** How users write it. */
  public String word() {
    return word;
  }

  /** Whether this is the name of such a hidden pipeline. */
  public boolean isOf(String pipeline) {
    return pipeline.endsWith(MARK + word);
  }

  /** The name of the hidden pipeline. */
  public String of(String pipeline) {
    return pipeline + MARK + word;
  }
}
