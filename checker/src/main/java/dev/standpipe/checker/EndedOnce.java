package dev.standpipe.checker;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * I10: the end of a run is announced once for each time it ends. A process that died in between
 * announces nothing, which loses nothing.
 */
final class EndedOnce implements Rule {
  @Override
  public String invariant() {
    return "I10";
  }

  @Override
  public void judge(Evidence evidence, Consumer<String> violation) {
    Map<Step, Integer> ended = new HashMap<>();
    for (Entry entry : evidence.entries(What.RUN_ENDED)) {
      int times = ended.merge(entry.step(), 1, Integer::sum);
      if (times > 1 + evidence.broughtBack(entry.step().run())) {
        violation.accept("a run ended once more: " + entry);
      }
      Ledger.RunRow run = evidence.run(entry.step().run());
      if (run == null || !run.hasEnded()) {
        violation.accept("a run was announced to have ended, and has not: " + entry);
      }
    }
  }
}
