package dev.standpipe.internal.engine;

import dev.standpipe.DuplicateKeyException;
import dev.standpipe.RunInfo;
import dev.standpipe.RunOptions;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.Sequel;
import dev.standpipe.internal.coordinate.Coordinator;
import dev.standpipe.internal.store.Labels;
import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Follows;
import dev.standpipe.spi.Follows.Chained;
import dev.standpipe.spi.Follows.Waiting;
import dev.standpipe.spi.PayloadCodec;
import dev.standpipe.spi.Quarantines.Audited;
import dev.standpipe.spi.Runs.Again;
import dev.standpipe.spi.Runs.Entry;
import dev.standpipe.spi.Runs.Followed;
import dev.standpipe.spi.Runs.Keyed;
import dev.standpipe.spi.Runs.NewRun;
import dev.standpipe.spi.Store;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Starts runs, and leases the first steps of a single one to this process if it has room. */
final class Starter {
  private final PayloadCodec codec;
  private final @Nullable Engine engine;
  private final Runnable announce;
  private final Supplier<UUID> ids;

  Starter(PayloadCodec codec, @Nullable Engine engine, Runnable announce, Supplier<UUID> ids) {
    this.codec = codec;
    this.engine = engine;
    this.announce = announce;
    this.ids = ids;
  }

  Batch batch(Graph graph, int lane) {
    return new Batch(graph, lane);
  }

  /**
   * A run that was chained to others.
   *
   * @param run its id, or that of the run that has its key
   * @param skipped whether it was skipped at once
   */
  record Linked(UUID run, boolean skipped) {}

  /** Starts runs that leave another's way, their values written as those of any run. */
  Forker forker(Store store) {
    return new Forker(store, codec);
  }

  /** An id for a new run. */
  UUID freshId() {
    return ids.get();
  }

  /** Runs of one pipeline to be started together. Not thread-safe. */
  final class Batch {
    private final String pipeline;
    private final int lane;
    private final List<Entry> entries;
    private final Followed followed;
    private final List<NewRun> runs = new ArrayList<>();

    Batch(Graph graph, int lane) {
      this.pipeline = graph.pipeline();
      this.lane = lane;
      this.entries = entries(graph);
      this.followed = followed(graph);
    }

    void add(@Nullable Object input, RunOptions options) {
      runs.add(
          new NewRun(
              ids.get(),
              options.key().orElse(null),
              options.key().map(key -> hash(codec.fingerprint(input))).orElse(null),
              options.priority(),
              Labels.write(options.labels()),
              codec.encode(input),
              TimeUnit.NANOSECONDS.toMicros(options.delay().toNanos()),
              null,
              deadline(options),
              followed));
    }

    /** Starts a run on the input of another, linked to it. A key stays with the run that has it. */
    UUID rerun(Store store, RunInfo original, Audited audited) {
      String input = store.runs().value(original.id(), GraphNode.INPUT_KEY, 0).orElseThrow();
      String labels = Labels.write(original.labels());
      NewRun run =
          new NewRun(ids.get(), null, null, original.priority(), labels, input, 0, null, followed);
      store.runs().rerun(original.id(), pipeline, lane, new Again(run, entries), audited);
      announce.run();
      return run.id();
    }

    /** Starts a run that waits for others, with an input of its own. */
    Linked after(Store store, List<UUID> upstreams, @Nullable Object input, RunOptions options) {
      String told = codec.fingerprint(input) + upstreams;
      return chain(store, waiting(codec.encode(input), told, options), upstreams, options, null);
    }

    /** Starts a run that waits for another, whose result becomes its input. */
    Linked then(Store store, UUID upstream, RunOptions options) {
      NewRun run = waiting(null, upstream.toString(), options);
      return chain(store, run, List.of(upstream), options, codec.encode(null));
    }

    private NewRun waiting(@Nullable String input, String told, RunOptions options) {
      return new NewRun(
          ids.get(),
          options.key().orElse(null),
          options.key().map(key -> hash(told)).orElse(null),
          options.priority(),
          Labels.write(options.labels()),
          input,
          Follows.OUT_OF_REACH,
          null,
          deadline(options),
          followed);
    }

    private static @Nullable Long deadline(RunOptions options) {
      return options
          .deadline()
          .map(time -> TimeUnit.NANOSECONDS.toMicros(time.toNanos()))
          .orElse(null);
    }

    private Linked chain(
        Store store,
        NewRun run,
        List<UUID> upstreams,
        RunOptions options,
        @Nullable String otherwise) {
      long delay = TimeUnit.NANOSECONDS.toMicros(options.delay().toNanos());
      Follows.Start start = new Follows.Start(pipeline, lane, run, entries);
      Optional<Chained> chained =
          store.follows().chain(start, new Waiting(upstreams, delay, otherwise));
      if (chained.isPresent()) {
        if (chained.get().ready()) {
          announce.run();
        }
        return new Linked(run.id(), chained.get().skipped());
      }
      List<Keyed> keyed = store.runs().keyed(pipeline, List.of(String.valueOf(run.key())));
      return new Linked(same(run, keyed.stream().findFirst().orElse(null)), false);
    }

    /** Starts them; returns their ids, or those of the runs that have their keys. */
    List<UUID> start(Store store) {
      if (runs.size() == 1 && engine != null && runs.get(0).delayMicros() == 0) {
        UUID owner = engine.reserve(lane, entries.size());
        if (owner != null) {
          return startLeased(store, engine, owner);
        }
      }
      List<UUID> ids = startReady(store);
      announce.run();
      return ids;
    }

    /** Starts them in the caller's transaction: nobody can take them before it commits. */
    List<UUID> startJoined(Store store) {
      List<UUID> ids = startReady(store);
      announce.run();
      return ids;
    }

    private List<UUID> startReady(Store store) {
      return runs.isEmpty() ? List.of() : resolve(store, write(store, runs));
    }

    private List<UUID> startLeased(Store store, Engine engine, UUID owner) {
      NewRun run = leasedTo(runs.get(0), owner);
      return resolve(store, engine.moving(() -> writeLeased(store, engine, owner, run)));
    }

    private Set<UUID> writeLeased(Store store, Engine engine, UUID owner, NewRun run) {
      Set<UUID> fresh;
      try {
        fresh = write(store, List.of(run));
      } catch (StoreException e) {
        engine.unreserve(entries.size());
        engine.doubt();
        throw e;
      }
      if (fresh.isEmpty()) {
        engine.unreserve(entries.size());
      } else {
        engine.takeUp(owner, lane, run, entries);
      }
      return fresh;
    }

    private Set<UUID> write(Store store, List<NewRun> batch) {
      return new HashSet<>(store.runs().start(pipeline, lane, batch, entries));
    }

    private List<UUID> resolve(Store store, Set<UUID> fresh) {
      if (fresh.size() == runs.size()) {
        return runs.stream().map(NewRun::id).toList();
      }
      Map<String, Keyed> existing = new HashMap<>();
      Set<String> keys = new LinkedHashSet<>();
      runs.forEach(run -> keys.add(String.valueOf(run.key())));
      store.runs().keyed(pipeline, keys).forEach(keyed -> existing.put(keyed.key(), keyed));
      List<UUID> ids = new ArrayList<>();
      for (NewRun run : runs) {
        ids.add(fresh.contains(run.id()) ? run.id() : same(run, existing.get(run.key())));
      }
      return ids;
    }

    private UUID same(NewRun run, @Nullable Keyed existing) {
      if (existing == null) {
        throw new IllegalStateException("Run " + run.id() + " was not started and has no twin");
      }
      if (!existing.keyHash().equals(run.keyHash())) {
        throw new DuplicateKeyException(pipeline, existing.key(), existing.id());
      }
      return existing.id();
    }
  }

  /** What follows the end of a run that nothing waits for. */
  static Followed followed(Graph graph) {
    if (graph.sequels().isEmpty()) {
      return Followed.NOT;
    }
    return graph.sequels().has(Sequel.COMPENSATE) ? Followed.COMPENSATED : Followed.YES;
  }

  /** What follows the end of a run that a step waits for. */
  static Followed followedIfCalled(Graph graph) {
    Followed followed = followed(graph);
    return followed == Followed.NOT ? Followed.YES : followed;
  }

  /** The nodes that runs of a graph start with. */
  static List<Entry> entries(Graph graph) {
    return Coordinator.begin(graph).stream()
        .map(
            start -> new Entry(start.vertex().key(), Planner.taskId(start.vertex(), start.first())))
        .toList();
  }

  private static NewRun leasedTo(NewRun run, UUID owner) {
    return new NewRun(
        run.id(),
        run.key(),
        run.keyHash(),
        run.priority(),
        run.labels(),
        run.input(),
        run.delayMicros(),
        owner,
        run.deadlineMicros(),
        run.followed());
  }

  static String hash(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }
}
