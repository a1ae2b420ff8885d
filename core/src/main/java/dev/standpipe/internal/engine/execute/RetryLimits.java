package dev.standpipe.internal.engine.execute;

import dev.standpipe.Retry;
import dev.standpipe.internal.port.RunQueries;

/**
 * How often steps may be retried: as their code says, unless a revive has said otherwise. The token
 * tells whether there was a revive, so that only failures of revived runs cost a query.
 */
public final class RetryLimits {
  private final RunQueries runs;

  public RetryLimits(RunQueries runs) {
    this.runs = runs;
  }

  public Retry of(Attempt attempt) {
    Retry retry = attempt.definition().retry();
    if (!attempt.ref.isRevived()) {
      return retry;
    }
    var limit = runs.retryLimit(attempt.run, attempt.vertex.key());
    return limit.isPresent() ? retry.limit(limit.getAsInt()) : retry;
  }
}
