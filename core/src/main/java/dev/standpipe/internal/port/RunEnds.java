package dev.standpipe.internal.port;

import dev.standpipe.info.RunInfo;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Runs.NewRun;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What follows the ends of runs. A run that something follows is marked in the transaction that
 * ends it; the mark goes in the transaction that writes what follows. So everything follows exactly
 * once for each end, whichever process dies in between (I10). A run that is brought back before
 * anything has followed loses its mark: it has not ended after all.
 */
public interface RunEnds {
  /** Runs with a mark, the longest first. */
  default List<UUID> ended(int limit) {
    return ended(0, limit);
  }

  /**
   * Runs with a mark, the longest first.
   *
   * @param skipped how many of the first are left out, since nothing could be done about them
   */
  List<UUID> ended(int skipped, int limit);

  /**
   * Follows up the end of a run: takes its mark off and writes what follows, in one transaction.
   *
   * @param run the run
   * @param subject the run itself, or the one that it has compensated, which has ended with it
   * @param what works out what follows from how the subject has ended; asks no database
   * @return empty, with nothing written, if it has no mark or another process works on it
   */
  Optional<FollowUp> follow(UUID run, UUID subject, Function<RunInfo, List<Dispatch>> what);

  /**
   * What came of following up an end.
   *
   * @param run how the subject has ended
   * @param skipped the runs that waited for it and were skipped
   * @param ready whether there are tasks now that any process may take
   */
  record FollowUp(RunInfo run, List<UUID> skipped, boolean ready) {}

  /**
   * A run to start.
   *
   * @param definition of which pipeline, and in which lane
   * @param run the run
   * @param entries the nodes it starts with
   */
  record RunToStart(Registered definition, NewRun run, List<Entry> entries) {}

  /**
   * A run to start because another has ended.
   *
   * @param kind what for
   * @param start the run
   */
  record Dispatch(String kind, RunToStart start) {}

  /** How long the first tasks of a run that waits for others are put off. */
  long OUT_OF_REACH = 31_557_600_000_000_000L;

  /**
   * What a run waits for.
   *
   * @param upstreams the runs that must have succeeded
   * @param delayMicros how long its first tasks wait after that
   * @param otherwise if the result of the first becomes the input: the input if that has none;
   *     {@code null} if the run has an input already
   */
  record Upstreams(List<UUID> upstreams, long delayMicros, @Nullable String otherwise) {}

  /**
   * Starts a run that waits for others, {@link #OUT_OF_REACH} until then. If they all have
   * succeeded, it begins at once; if one of them has ended otherwise, it is skipped at once.
   *
   * @return what came of it at once; empty, with nothing written, if a run has its key already
   * @throws dev.standpipe.error.UnknownRunException if there is no such upstream
   */
  Optional<Chained> chain(RunToStart start, Upstreams waiting);

  /**
   * What came of a chained run at once.
   *
   * @param skipped whether it was skipped
   * @param ready whether it has begun
   */
  record Chained(boolean skipped, boolean ready) {}
}
