package dev.standpipe.spi;

import dev.standpipe.RunInfo;
import dev.standpipe.spi.Runs.Entry;
import dev.standpipe.spi.Runs.NewRun;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * What follows the ends of runs. A run that something follows is marked in the transaction that
 * ends it; the mark goes in the transaction that writes what follows. So everything follows exactly
 * once for each end, whoever dies in between (I10). A run that is brought back before anything has
 * followed loses its mark: it has not ended after all.
 */
public interface Follows {
  /** Runs with a mark, the longest first. */
  List<UUID> ended(int limit);

  /**
   * Follows up the end of a run: takes its mark off and writes what follows, in one transaction.
   *
   * @param what works out what follows from how the run has ended; asks no database
   * @return how the run has ended; empty, with nothing written, if it has no mark or somebody else
   *     is at it
   */
  Optional<RunInfo> follow(UUID run, Function<RunInfo, List<Dispatch>> what);

  /**
   * A run to start because another has ended.
   *
   * @param kind what for
   * @param pipeline the name of its pipeline
   * @param lane its lane
   * @param run the run
   * @param entries the nodes it starts with
   */
  record Dispatch(String kind, String pipeline, int lane, NewRun run, List<Entry> entries) {}
}
