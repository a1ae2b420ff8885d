package dev.standpipe.internal.engine;

import dev.standpipe.Flow;
import dev.standpipe.Pipeline;
import dev.standpipe.RunOptions;
import dev.standpipe.StepContext;
import dev.standpipe.internal.coordinate.Model;
import dev.standpipe.internal.coordinate.RandomGraph;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** A run that somebody wants: tried under its key until a start has returned. */
final class SimStart {
  final SimFlow flow;
  final String key;
  final String input;
  private final RandomGraph wired;
  private final int priority;
  private final Duration delay;
  private UUID run;
  private Cancel cancel = Cancel.NEVER;
  private int revives;

  /** Whether it was canceled. */
  enum Cancel {
    NEVER,
    PERHAPS,
    DONE
  }

  SimStart(SimFlow flow, String key, Random dice) {
    this.flow = flow;
    this.key = key;
    this.input = "input of " + key;
    this.wired = flow.wire(new OfClients(flow));
    this.priority = dice.nextInt(3) - 1;
    this.delay = Duration.ofSeconds(dice.nextInt(4) == 0 ? dice.nextInt(20) : 0);
  }

  Pipeline<String, String> pipeline() {
    return wired.pipeline();
  }

  Model model() {
    return wired.model();
  }

  RunOptions options(RunOptions keyed) {
    return keyed.priority(priority).delay(delay);
  }

  void acknowledged(UUID id) {
    run = id;
  }

  boolean isAcknowledged() {
    return run != null;
  }

  UUID run() {
    return run;
  }

  /** A cancel of it was tried; whether it took effect is not known unless it returned. */
  void canceling(boolean returned) {
    cancel = returned || cancel == Cancel.DONE ? Cancel.DONE : Cancel.PERHAPS;
  }

  Cancel cancel() {
    return cancel;
  }

  /** A revive of it was tried; if it did not return, it may still be canceled, or not. */
  void reviving(boolean returned) {
    revives++;
    if (cancel != Cancel.NEVER) {
      cancel = returned ? Cancel.NEVER : Cancel.PERHAPS;
    }
  }

  int revives() {
    return revives;
  }

  /** A client has the same graph and runs nothing of it. */
  private record OfClients(SimFlow flow) implements RandomGraph.Bodies {
    @Override
    public void follow(Flow<String> wired) {
      flow.follow(
          wired,
          (end, ctx) -> {
            throw new UnsupportedOperationException();
          });
    }

    @Override
    public String value(List<String> inputs, StepContext ctx) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<String> elements(String input, int count, StepContext ctx) {
      throw new UnsupportedOperationException();
    }
  }
}
