package dev.standpipe.internal.transaction;

/** The commit of a step's transaction failed. */
public final class CommitFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean inDoubt;

  /**
   * A failure with its cause.
   *
   * @param inDoubt whether the commit may have taken effect
   */
  public CommitFailedException(Exception cause, boolean inDoubt) {
    super(cause);
    this.inDoubt = inDoubt;
  }

  /** Whether the commit may have taken effect. */
  public boolean isInDoubt() {
    return inDoubt;
  }

  /** What the driver or the framework threw. */
  public Exception why() {
    return getCause() instanceof Exception why ? why : this;
  }
}
