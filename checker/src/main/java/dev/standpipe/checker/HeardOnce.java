package dev.standpipe.checker;

import dev.standpipe.checker.Ledger.Outcome;
import dev.standpipe.checker.Ledger.ResultRow;
import dev.standpipe.checker.Links.Call;
import dev.standpipe.checker.Links.Signal;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * I5 for what waits: an await ends with the one signal it has, or because it has expired; a call
 * ends with the one run it has called last, and calls another only after that did not succeed.
 */
final class HeardOnce implements Rule {
  @Override
  public String invariant() {
    return "I5";
  }

  @Override
  public void judge(Evidence evidence, Consumer<String> violation) {
    Links links = evidence.ledger().links();
    Set<Step> heard = new HashSet<>();
    for (Signal signal : links.signals()) {
      if (signal.signaled() || signal.expired()) {
        heard.add(signal.step());
      }
      if (!isOf(evidence, signal.step(), "await") && !isOf(evidence, signal.step(), "call")) {
        violation.accept("a signal for what waits for none: " + signal);
      }
    }
    Map<Step, List<Call>> calls =
        links.calls().stream().collect(Collectors.groupingBy(Call::caller));
    calls.values().forEach(of -> judge(evidence, of, violation));
    Map<Step, Call> last = new HashMap<>();
    calls.forEach((caller, of) -> last.put(caller, last(of)));
    for (ResultRow result : evidence.results().values()) {
      Step step = result.step();
      boolean ended = result.outcome() == Outcome.SUCCEEDED && result.attempt() > 0;
      if (ended && isOf(evidence, step, "await") && !heard.contains(step)) {
        violation.accept("ended without a signal, and has not expired: " + step);
      }
      if (ended && isOf(evidence, step, "call") && !hasSucceeded(evidence, last.get(step))) {
        violation.accept("ended, and what it called has not succeeded: " + step);
      }
    }
  }

  private static void judge(Evidence evidence, List<Call> of, Consumer<String> violation) {
    Call last = last(of);
    if (of.size() != last.nth()) {
      violation.accept("called " + of.size() + " runs, the last of them as number " + last);
    }
    for (Call call : of) {
      if (evidence.run(call.run()) == null || evidence.run(call.caller().run()) == null) {
        violation.accept("called, and not there: " + call);
      } else if (!isOf(evidence, call.caller(), "call")) {
        violation.accept("called by what calls nobody: " + call);
      } else if (!call.equals(last)
          && hasSucceeded(evidence, call)
          && evidence.broughtBack(call.run()) == 0) {
        violation.accept("called again though it has succeeded: " + call);
      }
    }
  }

  private static Call last(List<Call> of) {
    return of.stream().max(Comparator.comparingInt(Call::nth)).orElseThrow();
  }

  private static boolean hasSucceeded(Evidence evidence, @Nullable Call call) {
    Ledger.RunRow run = call == null ? null : evidence.run(call.run());
    return run != null && run.status().equals("succeeded");
  }

  private static boolean isOf(Evidence evidence, Step step, String kind) {
    Graph graph = evidence.graph(step.run());
    Graph.Node node = graph == null ? null : graph.find(step.node());
    return node != null && node.kind().equals(kind);
  }
}
