package dev.standpipe.internal.engine.client;

import dev.standpipe.Pipeline;
import dev.standpipe.RunOptions;
import dev.standpipe.definition.EndCallback;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.error.DuplicateKeyException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.internal.Labels;
import dev.standpipe.internal.coordinate.Coordinator;
import dev.standpipe.internal.engine.Engine;
import dev.standpipe.internal.engine.LeasedStarts;
import dev.standpipe.internal.engine.commit.SettlementPlanner;
import dev.standpipe.internal.engine.operate.Forker;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.LaneGoneException;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.RunEnds;
import dev.standpipe.internal.port.RunEnds.Chained;
import dev.standpipe.internal.port.RunEnds.Upstreams;
import dev.standpipe.internal.port.RunQueries.Keyed;
import dev.standpipe.internal.port.Runs.Again;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Runs.Followed;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
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
public final class Starter {
  private final PayloadCodec codec;
  private final @Nullable Engine engine;
  private final Runnable announce;
  private final Supplier<UUID> ids;
  private final OutageRetry outages;

  /** One whose starts fail while the database is away. */
  public Starter(
      PayloadCodec codec, @Nullable Engine engine, Runnable announce, Supplier<UUID> ids) {
    this(codec, engine, announce, ids, OutageRetry.FAIL_AT_ONCE);
  }

  public Starter(
      PayloadCodec codec,
      @Nullable Engine engine,
      Runnable announce,
      Supplier<UUID> ids,
      OutageRetry outages) {
    this.codec = codec;
    this.engine = engine;
    this.announce = announce;
    this.ids = ids;
    this.outages = outages;
  }

  /** Runs of a pipeline of which only the graph is known, unless this process serves it. */
  public StartBatch batch(Registered definition) {
    return new StartBatch(definition, inputType(definition));
  }

  /** Runs of a pipeline. */
  public StartBatch batch(Pipeline<?, ?> pipeline, int lane) {
    return new StartBatch(new Registered(lane, pipeline.graph()), pipeline.inputType().type());
  }

  /**
   * A run that was chained to others.
   *
   * @param run its id, or that of the run that has its key
   * @param skipped whether it was skipped at once
   */
  public record Linked(UUID run, boolean skipped) {}

  /** Starts runs that leave another's way, their values written as those of any run. */
  public Forker forker(Store store) {
    return new Forker(store, codec, engine);
  }

  /** The input of a run, written as that of any run of this definition. */
  public String input(Registered definition, @Nullable Object value) {
    return new ExternalValue(value, inputType(definition)).text(codec);
  }

  private @Nullable Type inputType(Registered definition) {
    Pipeline<?, ?> served = engine == null ? null : engine.served(definition.lane());
    return served == null ? null : served.inputType().type();
  }

  /** An id for a new run. */
  public UUID freshId() {
    return ids.get();
  }

  /** Runs of one pipeline to be started together. Not thread-safe. */
  public final class StartBatch {
    private Registered definition;
    private final List<Entry> entries;
    private final Followed followed;
    private final @Nullable Type type;
    private final List<NewRun> runs = new ArrayList<>();

    StartBatch(Registered definition, @Nullable Type type) {
      this.type = type;
      this.definition = definition;
      this.entries = entries(definition.graph());
      this.followed = followed(definition.graph());
    }

    /** Moves all of them: their definition has got another lane. */
    StartBatch in(int other) {
      this.definition = new Registered(other, definition.hash(), definition.graph());
      return this;
    }

    private String pipeline() {
      return definition.graph().pipeline();
    }

    public void add(@Nullable Object input, RunOptions options) {
      ExternalValue given = new ExternalValue(input, type);
      runs.add(
          new NewRun(
              ids.get(),
              options.key().orElse(null),
              options.key().map(key -> hash(given.fingerprint(codec))).orElse(null),
              options.priority(),
              Labels.write(options.labels()),
              given.text(codec),
              TimeUnit.NANOSECONDS.toMicros(options.delay().toNanos()),
              null,
              deadline(options),
              followed));
    }

    /** Starts a run on the input of another, linked to it. A key stays with the run that has it. */
    public UUID rerun(Store store, RunInfo original, Audited audited) {
      String input = store.runQueries().value(original.id(), GraphNode.INPUT_KEY, 0).orElseThrow();
      String labels = Labels.write(original.labels());
      NewRun run =
          new NewRun(ids.get(), null, null, original.priority(), labels, input, 0, null, followed);
      store.runs().rerun(original.id(), definition, new Again(run, entries), audited);
      announce.run();
      return run.id();
    }

    /** Starts a run that waits for others, with an input of its own. */
    public Linked after(
        Store store, List<UUID> upstreams, @Nullable Object input, RunOptions options) {
      ExternalValue given = new ExternalValue(input, type);
      String told = options.key().isPresent() ? given.fingerprint(codec) + upstreams : "";
      NewRun run = waiting(given.text(codec), told, options);
      return chain(store, run, upstreams, options, null);
    }

    /** Starts a run that waits for another, whose result becomes its input. */
    public Linked then(Store store, UUID upstream, RunOptions options) {
      NewRun run = waiting(null, upstream.toString(), options);
      return chain(store, run, List.of(upstream), options, codec.encode(null, Void.class));
    }

    private NewRun waiting(@Nullable String input, String told, RunOptions options) {
      return new NewRun(
          ids.get(),
          options.key().orElse(null),
          options.key().map(key -> hash(told)).orElse(null),
          options.priority(),
          Labels.write(options.labels()),
          input,
          RunEnds.OUT_OF_REACH,
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
      RunEnds.RunToStart start = new RunEnds.RunToStart(definition, run, entries);
      Upstreams waiting = new Upstreams(upstreams, delay, otherwise);
      Optional<Chained> chained = chain(store, start, waiting);
      if (chained.isPresent()) {
        if (chained.get().ready()) {
          announce.run();
        }
        return new Linked(run.id(), chained.get().skipped());
      }
      List<Keyed> keyed = store.runQueries().keyed(pipeline(), List.of(String.valueOf(run.key())));
      return new Linked(same(run, keyed.stream().findFirst().orElse(null)), false);
    }

    /** One whose reply was lost may have taken effect; then others are told of it, just in case. */
    private Optional<Chained> chain(Store store, RunEnds.RunToStart start, Upstreams waiting) {
      Supplier<Optional<Chained>> send = () -> store.runEnds().chain(start, waiting);
      return outages.sending(send, () -> landed(store, start), send);
    }

    private static Optional<Optional<Chained>> landed(Store store, RunEnds.RunToStart start) {
      return store.runQueries().lane(start.run().id()).isPresent()
          ? Optional.of(Optional.of(new Chained(false, true)))
          : Optional.empty();
    }

    /** Starts them; returns their ids, or those of the runs that have their keys. */
    public List<UUID> start(Store store) {
      if (runs.size() == 1 && engine != null && runs.get(0).delayMicros() == 0) {
        UUID owner = engine.leasedStarts().reserve(definition.lane(), entries.size());
        if (owner != null) {
          return startLeased(store, engine.leasedStarts(), owner);
        }
      }
      List<UUID> ids = startReady(store);
      announce.run();
      return ids;
    }

    /** Starts them in the caller's transaction: no process can take them before it commits. */
    List<UUID> startJoined(Store store) {
      List<UUID> ids = resolve(store, write(store, runs));
      announce.run();
      return ids;
    }

    private List<UUID> startReady(Store store) {
      if (runs.isEmpty()) {
        return List.of();
      }
      return sending(store, () -> write(store, runs));
    }

    private List<UUID> startLeased(Store store, LeasedStarts starts, UUID owner) {
      NewRun run = leasedTo(runs.get(0), owner);
      return sending(store, () -> starts.moving(() -> writeLeased(store, starts, owner, run)));
    }

    /** Their ids are ours, so a look tells whether a start took effect whose reply was lost. */
    private List<UUID> sending(Store store, Supplier<Set<UUID>> write) {
      return outages.sending(
          () -> resolve(store, write.get()),
          () -> landed(store).map(fresh -> announced(resolve(store, fresh))),
          () -> announced(resolve(store, write(store, runs))));
    }

    private List<UUID> announced(List<UUID> ids) {
      announce.run();
      return ids;
    }

    /** All or none, but for those whose keys others have. */
    private Optional<Set<UUID>> landed(Store store) {
      Set<UUID> there = new HashSet<>();
      for (NewRun run : runs) {
        if (store.runQueries().lane(run.id()).isPresent()) {
          there.add(run.id());
        } else if (run.key() == null) {
          break;
        }
      }
      if (there.isEmpty()) {
        return Optional.empty();
      }
      runs.stream().filter(run -> run.key() == null).forEach(run -> there.add(run.id()));
      return Optional.of(there);
    }

    private Set<UUID> writeLeased(Store store, LeasedStarts starts, UUID owner, NewRun run) {
      Set<UUID> fresh;
      try {
        fresh = write(store, List.of(run));
      } catch (StoreException | LaneGoneException e) {
        starts.unreserve(entries.size());
        starts.doubt();
        throw e;
      }
      if (fresh.isEmpty()) {
        starts.unreserve(entries.size());
      } else {
        starts.takeUp(owner, definition.lane(), run, entries);
      }
      return fresh;
    }

    private Set<UUID> write(Store store, List<NewRun> batch) {
      return new HashSet<>(store.runs().start(definition, batch, entries));
    }

    private List<UUID> resolve(Store store, Set<UUID> fresh) {
      if (fresh.size() == runs.size()) {
        return runs.stream().map(NewRun::id).toList();
      }
      Map<String, Keyed> existing = new HashMap<>();
      Set<String> keys = new LinkedHashSet<>();
      runs.forEach(run -> keys.add(String.valueOf(run.key())));
      store.runQueries().keyed(pipeline(), keys).forEach(keyed -> existing.put(keyed.key(), keyed));
      List<UUID> ids = new ArrayList<>();
      for (NewRun run : runs) {
        ids.add(fresh.contains(run.id()) ? run.id() : same(run, existing.get(run.key())));
      }
      return ids;
    }

    private UUID same(NewRun run, @Nullable Keyed existing) {
      if (existing == null) { // the run with the key is gone, or the definition is
        throw new LaneGoneException(definition);
      }
      if (!existing.keyHash().equals(run.keyHash())) {
        throw new DuplicateKeyException(pipeline(), existing.key(), existing.id());
      }
      return existing.id();
    }
  }

  /** What follows the end of a run that nothing waits for. */
  public static Followed followed(Graph graph) {
    if (graph.endCallbacks().isEmpty()) {
      return Followed.NOT;
    }
    return graph.endCallbacks().has(EndCallback.COMPENSATE) ? Followed.COMPENSATED : Followed.YES;
  }

  /** What follows the end of a run that a step waits for. */
  public static Followed followedIfCalled(Graph graph) {
    Followed followed = followed(graph);
    return followed == Followed.NOT ? Followed.YES : followed;
  }

  /** The nodes that runs of a graph start with. */
  public static List<Entry> entries(Graph graph) {
    return Coordinator.begin(graph).stream()
        .map(
            start ->
                new Entry(
                    start.vertex().key(), SettlementPlanner.taskId(start.vertex(), start.first())))
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

  public static String hash(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }
}
