package dev.standpipe.internal.simulation;

import dev.standpipe.internal.port.StoreException;
import dev.standpipe.operate.Bulk;
import dev.standpipe.operate.BulkResult;
import dev.standpipe.operate.RunFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Does things to all runs of a pipeline at once. Which runs were there, and to which it was done,
 * is not told; so it may have been done to any.
 */
final class SimBulk {
  private final Consumer<String> trace;
  private final SimPauses pauses;
  private final Set<String> canceled = new HashSet<>();
  private final Set<String> paused = new HashSet<>();
  private final List<String> revived = new ArrayList<>();

  /** What is done. */
  enum Deed {
    CANCEL,
    REVIVE,
    PAUSE,
    RESUME,
    COUNT
  }

  SimBulk(Consumer<String> trace, SimPauses pauses) {
    this.trace = trace;
    this.pauses = pauses;
  }

  /** Has a process do it to all runs of a pipeline, among them those of these starts. */
  void act(SimProcess process, Deed deed, String pipeline, List<SimStart> starts) {
    trace.accept(process.name + " does to all runs of " + pipeline + ": " + deed);
    List<SimStart> meant = starts.stream().filter(s -> isOf(s, pipeline)).toList();
    note(deed, pipeline, meant);
    try {
      BulkResult result = act(process.operator().bulk(filter(pipeline)), deed);
      trace.accept("    " + result.changed() + " of " + result.matched());
    } catch (StoreException e) {
      trace.accept("    it failed: " + e.failure());
    }
  }

  private static boolean isOf(SimStart start, String pipeline) {
    return start.pipeline().name().equals(pipeline);
  }

  private static RunFilter filter(String pipeline) {
    return RunFilter.where().pipeline(pipeline);
  }

  private static BulkResult act(Bulk bulk, Deed deed) {
    return switch (deed) {
      case CANCEL -> bulk.cancel("on purpose", Duration.ofSeconds(5));
      case REVIVE -> bulk.revive("on purpose");
      case PAUSE -> bulk.pause("on purpose");
      case RESUME -> bulk.resume("on purpose");
      case COUNT -> bulk.dryRun().cancel("on purpose");
    };
  }

  /** Before it is done: whoever dies in the middle has done some of it. */
  private void note(Deed deed, String pipeline, List<SimStart> meant) {
    switch (deed) {
      case CANCEL -> {
        canceled.add(pipeline);
        meant.forEach(start -> start.canceling(false));
      }
      case REVIVE -> {
        revived.add(pipeline);
        meant.forEach(start -> start.reviving(false));
        known(meant).forEach(start -> pauses.over(start.run()));
      }
      case PAUSE -> {
        paused.add(pipeline);
        known(meant).forEach(start -> pauses.perhaps(start.run()));
      }
      case RESUME -> known(meant).forEach(start -> pauses.over(start.run()));
      case COUNT -> {}
    }
  }

  private static List<SimStart> known(List<SimStart> starts) {
    return starts.stream().filter(SimStart::isAcknowledged).toList();
  }

  /** A start has been acknowledged whose run may have been there before. */
  void acknowledged(SimStart start) {
    if (paused.contains(start.pipeline().name())) {
      pauses.perhaps(start.run());
    }
  }

  /** A run was there, and nobody knew. */
  void found(SimStart start) {
    String pipeline = start.pipeline().name();
    if (canceled.contains(pipeline)) {
      start.canceling(false);
    }
    revived.stream().filter(pipeline::equals).forEach(name -> start.reviving(false));
    acknowledged(start);
  }
}
