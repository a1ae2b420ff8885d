package dev.standpipe.operate;

import java.util.Map;
import java.util.UUID;

/**
 * What came of doing something to many runs.
 *
 * @param matched how many runs the filter let through when it began
 * @param changed to how many it was done; none in a dry run
 * @param refused some of those to which it could not be done, since they had changed meanwhile, and
 *     why
 */
public record BulkResult(long matched, long changed, Map<UUID, String> refused) {
  /** Copies the map. */
  public BulkResult {
    refused = Map.copyOf(refused);
  }
}
