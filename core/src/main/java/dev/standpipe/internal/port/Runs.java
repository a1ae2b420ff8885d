package dev.standpipe.internal.port;

import dev.standpipe.RunStatus;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Quarantines.FinishedStep;
import dev.standpipe.internal.port.Quarantines.Resume;
import dev.standpipe.internal.port.Quarantines.Unfinished;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Starts runs and ends them; {@link RunQueries} reads them. */
public interface Runs {
  /**
   * A run to be started.
   *
   * @param id its id, a fresh UUID of version 7
   * @param key its key
   * @param keyHash what tells its input from another's, with a key
   * @param priority its priority
   * @param labels its labels as a JSON object
   * @param input its input, encoded; {@code null} if it gets one later
   * @param delayMicros how long its first tasks wait
   * @param owner the process its first tasks are leased to at once, or {@code null}
   * @param deadlineMicros how long it may take, or {@code null} for as long as it does
   * @param followed whether something follows its end
   */
  record NewRun(
      UUID id,
      @Nullable String key,
      @Nullable String keyHash,
      int priority,
      String labels,
      @Nullable String input,
      long delayMicros,
      @Nullable UUID owner,
      @Nullable Long deadlineMicros,
      Followed followed) {
    /** One without a deadline. */
    public NewRun(
        UUID id,
        @Nullable String key,
        @Nullable String keyHash,
        int priority,
        String labels,
        @Nullable String input,
        long delayMicros,
        @Nullable UUID owner,
        Followed followed) {
      this(id, key, keyHash, priority, labels, input, delayMicros, owner, null, followed);
    }

    /** One without a deadline that nothing follows. */
    public NewRun(
        UUID id,
        @Nullable String key,
        @Nullable String keyHash,
        int priority,
        String labels,
        @Nullable String input,
        long delayMicros,
        @Nullable UUID owner) {
      this(id, key, keyHash, priority, labels, input, delayMicros, owner, Followed.NOT);
    }
  }

  /** What follows the end of a run. */
  enum Followed {
    /** Nothing, as far as is known. */
    NOT(0),
    /** Something: its end is {@link RunEnds#ended marked}. */
    YES(1),
    /** Something, and it is compensated unless it succeeds. */
    COMPENSATED(2);

    private final int code;

    Followed(int code) {
      this.code = code;
    }

    /** How it is stored. */
    public int code() {
      return code;
    }
  }

  /**
   * A node a run starts with.
   *
   * @param node its key
   * @param task the id of its task
   */
  record Entry(String node, long task) {}

  /**
   * Starts runs, all or none: each run, its input and its first tasks. Their ids are new. Nothing
   * is started unless this very definition has this lane: after a failover that lost it, another
   * may.
   *
   * @return the ids of the runs that were started; the others have a key that a run has already
   * @throws dev.standpipe.error.DuplicateKeyException if, of several runs, one has a key that
   *     belongs to a run with another input
   */
  List<UUID> start(Registered definition, List<NewRun> runs, List<Entry> entries);

  /**
   * A run that is started as another was.
   *
   * @param run it
   * @param entries the nodes it starts with
   */
  record Again(NewRun run, List<Entry> entries) {}

  /** Starts a run as another was, and links the two. */
  void rerun(UUID original, Registered definition, Again again, Audited audited);

  /**
   * A run that takes over what another has finished.
   *
   * @param original the other
   * @param node the node it leaves the other's way at
   * @param run it, with its input
   * @param redone the keys of nodes whose results it does not take over
   * @param edited values that take the place of the original's, encoded, by the keys of their nodes
   * @param context whether it also takes over what those results' steps have set in the context
   */
  record Forked(
      UUID original,
      String node,
      NewRun run,
      Set<String> redone,
      Map<String, String> edited,
      boolean context) {}

  /**
   * What a run has taken over.
   *
   * @param finished the steps that have succeeded or were skipped
   * @param unfinished the expands that have yielded elements, and have not ended
   */
  record TakenOver(List<FinishedStep> finished, List<Unfinished> unfinished) {}

  /**
   * The rows that a fork begins with.
   *
   * @param resume the steps that start, and how far its fan-ins are
   * @param skips the steps that are skipped because of what was taken over
   */
  record Begin(Resume resume, List<Settlement.SkippedStep> skips) {}

  /**
   * Starts a run that takes over what another has finished, and links the two. What is taken over
   * counts as never tried: its attempts and tokens are 0.
   *
   * @param plan what the run begins with, given what it has taken over; nothing is written if it
   *     throws
   * @return what the run begins with
   * @throws dev.standpipe.error.NotForkableException if a value to be edited was not taken over
   */
  Resume fork(Registered definition, Forked fork, Function<TakenOver, Begin> plan, Audited audited);

  /**
   * Goes on with ending a run that is halting, being canceled or ended early: clears tasks that no
   * process holds, cuts off tasks whose grace is over and, once no process holds any, ends the run.
   *
   * @return whether the run ended now
   */
  boolean finishStopping(UUID run);

  /**
   * Marks a run as being canceled, unless it has ended; {@link #finishStopping} goes on from there.
   *
   * @param graceMicros how long its bodies have before they are cut off
   * @return the run's status now: {@code CANCELING}, or what it has ended as; empty if there is no
   *     such run
   */
  Optional<RunStatus> cancel(UUID run, long graceMicros, Audited audited);

  /** Takes note that this process has interrupted these tries. */
  void forgetCutOff(UUID owner, Collection<TaskRef> tries);
}
