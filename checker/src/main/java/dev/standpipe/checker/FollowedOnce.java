package dev.standpipe.checker;

import dev.standpipe.checker.Ledger.RunRow;
import dev.standpipe.checker.Links.Chain;
import dev.standpipe.checker.Links.Dispatched;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * I10: callbacks, compensations and chained runs are dispatched exactly once per terminal run. A
 * run that was brought back has ended more than once, and only its last end is on record: then each
 * may have been dispatched as often as it has ended.
 */
final class FollowedOnce implements Rule {
  private static final Set<String> AFTER_FAILURE =
      Set.of("on_failure", "on_halt", "on_complete", "publish");

  @Override
  public String invariant() {
    return "I10";
  }

  @Override
  public void judge(Evidence evidence, Consumer<String> violation) {
    Links links = evidence.ledger().links();
    links.ended().forEach(run -> violation.accept("nobody followed up the end of run " + run));
    Map<UUID, Map<String, Integer>> times = new HashMap<>();
    for (Dispatched one : links.dispatched()) {
      times
          .computeIfAbsent(one.original(), o -> new HashMap<>())
          .merge(one.kind(), 1, Integer::sum);
      if (evidence.run(one.run()) == null || evidence.run(one.original()) == null) {
        violation.accept("dispatched, and not there: " + one);
      }
    }
    for (RunRow run : evidence.ledger().runs()) {
      if (run.hasEnded()) {
        judge(evidence, run, times.getOrDefault(run.id(), Map.of()), violation);
      }
    }
    links.chain().forEach(chain -> judge(evidence, chain, violation));
  }

  private static void judge(
      Evidence evidence, RunRow run, Map<String, Integer> times, Consumer<String> violation) {
    Graph graph = evidence.graph(run.id());
    List<String> endCallbacks = graph == null ? List.of() : graph.endCallbacks();
    Set<String> due = due(run, evidence.ledger().links().haltReasons().get(run.id()));
    int ends = 1 + evidence.broughtBack(run.id());
    for (String kind : endCallbacks) {
      int dispatched = times.getOrDefault(kind, 0);
      boolean once = due.contains(kind) ? dispatched >= 1 : ends > 1 || dispatched == 0;
      if (!once || dispatched > ends) {
        violation.accept(
            kind + " was dispatched " + dispatched + " times after " + ends + " ends of " + run);
      }
    }
    times.keySet().stream()
        .filter(kind -> !endCallbacks.contains(kind))
        .forEach(kind -> violation.accept(kind + " was dispatched, which " + run + " has not"));
    if (run.status().equals("compensating")) {
      violation.accept("not compensated to the end: " + run);
    }
  }

  private static Set<String> due(RunRow run, @Nullable String haltReason) {
    return switch (run.status()) {
      case "succeeded" -> Set.of("on_success", "on_complete", "publish");
      case "failed" -> Set.of("on_failure", "on_complete", "publish");
      case "skipped", "canceled" -> Set.of("on_complete", "publish");
      case "compensated", "compensation_failed" ->
          "canceled".equals(haltReason)
              ? Set.of("on_complete", "publish", "compensate")
              : Set.of("on_failure", "on_halt", "on_complete", "publish", "compensate");
      default -> AFTER_FAILURE;
    };
  }

  private static void judge(Evidence evidence, Chain chain, Consumer<String> violation) {
    RunRow upstream = evidence.run(chain.upstream());
    RunRow downstream = evidence.run(chain.downstream());
    if (upstream == null || downstream == null) {
      violation.accept("a link to a run that is not there: " + chain);
      return;
    }
    if (upstream.hasEnded() && !chain.resolved()) {
      violation.accept("the upstream has ended, and nothing came of it: " + chain);
    }
    boolean failed = upstream.hasEnded() && !upstream.status().equals("succeeded");
    boolean begun = hasBegun(evidence, downstream);
    boolean revived =
        evidence.broughtBack(chain.upstream()) + evidence.broughtBack(chain.downstream()) > 0;
    if (failed && begun && !revived) {
      violation.accept("the downstream of a run that did not succeed has begun: " + chain);
    }
    boolean forNothing =
        downstream.status().equals("skipped")
            && evidence.ledger().links().chain().stream()
                .filter(other -> other.downstream().equals(chain.downstream()))
                .allMatch(other -> hasSucceeded(evidence, other.upstream()));
    if (forNothing) {
      violation.accept("skipped, and all it waited for has succeeded: " + chain);
    }
  }

  /** A run that is stopped while it waits has no result of any step. */
  private static boolean hasBegun(Evidence evidence, RunRow run) {
    return run.status().equals("succeeded")
        || evidence.results().keySet().stream().anyMatch(step -> step.run().equals(run.id()));
  }

  private static boolean hasSucceeded(Evidence evidence, UUID run) {
    RunRow row = evidence.run(run);
    return row != null && row.status().equals("succeeded") && evidence.broughtBack(run) == 0;
  }
}
