package dev.standpipe.error;

import dev.standpipe.RunStatus;
import java.util.Collection;
import java.util.Locale;
import java.util.UUID;

/** The run cannot be revived, or not so. Nothing was changed. */
public final class NotRevivableException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  private NotRevivableException(String message) {
    super(ErrorCode.NOT_REVIVABLE, message);
  }

  /** The run is not stopped. */
  public static NotRevivableException notStopped(UUID run, RunStatus status) {
    return new NotRevivableException(
        "Run %s is %s: only a run that has ended halted, failed or canceled can be revived. Cancel one that is running; a rerun starts one anew."
            .formatted(run, status.name().toLowerCase(Locale.ROOT)));
  }

  /** The steps of the run are undone, or about to be. */
  public static NotRevivableException compensated(UUID run, RunStatus status) {
    return new NotRevivableException(
        "Run %s is %s: its steps are undone, so that it cannot go on. A rerun starts one anew; a compensation that failed is a run of its own, which can be revived."
            .formatted(run, status.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
  }

  /** It has no input: it waited for the result of a run that did not succeed, or was canceled. */
  public static NotRevivableException neverBegun(UUID run) {
    return new NotRevivableException(
        "Run %s never began: it waited for the result of another run and was stopped before that had one. Chain a new run to one that succeeds."
            .formatted(run));
  }

  /** Others than the steps of this node have failed, or none of it has. */
  public static NotRevivableException notOnly(UUID run, String node, Collection<String> failed) {
    return new NotRevivableException(
        "Run %s cannot be revived for node \"%s\" only: its failed steps are those of %s. Revive it as a whole, or name the node that failed alone."
            .formatted(run, node, failed.isEmpty() ? "no node" : failed));
  }
}
