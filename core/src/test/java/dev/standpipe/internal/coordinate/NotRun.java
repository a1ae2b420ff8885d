package dev.standpipe.internal.coordinate;

import dev.standpipe.StepContext;
import dev.standpipe.definition.Strategy;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** The bodies of a pipeline that only its graph is wanted of. */
class NotRun implements RandomGraph.Bodies {
  @Override
  public String value(List<String> inputs, StepContext ctx) {
    return inputs.get(0);
  }

  @Override
  public List<String> elements(String input, int count, StepContext ctx) {
    return Collections.nCopies(count, input);
  }

  /** With strategies that go on after failures, for the pipeline and for some of its steps. */
  static final class Lenient extends NotRun {
    private final long seed;

    Lenient(long seed) {
      this.seed = seed;
    }

    @Override
    public Strategy strategy() {
      return seed % 2 == 0 ? Strategy.CONTINUE : Strategy.IGNORE;
    }

    @Override
    public Optional<Strategy> strategy(String key) {
      int dice = new Random(seed * 31 + key.hashCode()).nextInt(4);
      return dice < 2
          ? Optional.empty()
          : Optional.of(dice == 2 ? Strategy.CONTINUE : Strategy.IGNORE);
    }
  }
}
