package dev.standpipe.internal.simulation;

import dev.standpipe.SignalOptions;
import dev.standpipe.error.NotForkableException;
import dev.standpipe.error.NotRevivableException;
import dev.standpipe.error.RunEndedException;
import dev.standpipe.error.RunHaltingException;
import dev.standpipe.error.SignalRefusedException;
import dev.standpipe.error.UnknownSignalException;
import dev.standpipe.internal.coordinate.Model.Step;
import dev.standpipe.internal.port.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** What people do to the runs of a simulation: they signal, cancel, revive, fork and pause. */
final class SimOperator {
  private final Simulation simulation;
  private final SimPauses pauses;
  private final SimBulk bulk;
  private final Random dice;
  private final boolean operates;
  private final Random haste;
  private final boolean hasty;

  SimOperator(
      Simulation simulation, SimPauses pauses, SimBulk bulk, Random dice, boolean operates) {
    this.simulation = simulation;
    this.pauses = pauses;
    this.bulk = bulk;
    this.dice = dice;
    this.operates = operates;
    this.haste = new Random(dice.nextLong());
    this.hasty = haste.nextInt(3) == 0;
  }

  private List<SimStart> begun() {
    return simulation.starts().stream().filter(SimStart::isAcknowledged).toList();
  }

  /** Any await of any run, whether it waits or not, with one of two signals. */
  void signal(SimProcess process) {
    List<SimStart> begun = begun();
    if (!begun.isEmpty()) {
      SimStart start = begun.get(dice.nextInt(begun.size()));
      List<Step> awaits = start.model().awaits();
      if (!awaits.isEmpty()) {
        signal(process, start, awaits.get(dice.nextInt(awaits.size())), "s" + dice.nextInt(2));
      }
    }
  }

  void signal(SimProcess process, SimStart start, Step await, String value) {
    simulation.trace(process.name + " signals " + await + " of " + start.key + ": " + value);
    try {
      SignalOptions options = SignalOptions.index(await.index());
      simulation.trace("    " + process.signals().signal(start.run(), await.key(), value, options));
      start.signaled(await, value, true);
    } catch (SignalRefusedException | RunEndedException e) {
      simulation.trace("    " + e.getMessage());
    } catch (UnknownSignalException e) { // an expand that ends its run early has no elements
      if (start.flow.finishers(start.model()).isEmpty()) {
        throw e;
      }
      simulation.trace("    " + e.getMessage());
    } catch (StoreException e) {
      start.signaled(await, value, false);
      simulation.trace("    the signal failed: " + e.failure());
    }
  }

  /** In one schedule of three, somebody cancels, revives, forks or pauses runs now and then. */
  void operate(SimProcess process) {
    List<SimStart> begun = begun();
    if (operates && !begun.isEmpty()) {
      SimStart start = begun.get(dice.nextInt(begun.size()));
      switch (dice.nextInt(12)) {
        case 0, 1 -> cancel(process, start);
        case 2, 3 -> revive(process, start);
        case 4 -> fork(process, start);
        case 5, 6, 7 -> pauses.pause(process, runOrPipeline(start), simulation.processes());
        case 8, 9, 10 -> pauses.resume(process, runOrPipeline(start));
        default -> bulk.act(process, deed(), start.pipeline().name(), simulation.starts());
      }
    }
  }

  /**
   * In one schedule of three, somebody cancels a run while a body of it runs, leaves it no time,
   * and brings it back at once. The process of that body may then hold the same step again, under
   * another token, when the body returns: nothing but the token tells the two tries apart.
   */
  void hurry(SimProcess process, UUID run) {
    if (!hasty || haste.nextBoolean()) {
      return;
    }
    for (SimStart start : begun()) {
      if (start.run().equals(run)) {
        cancel(process, start, Duration.ZERO);
        revive(process, start);
        simulation.claim(process);
        return;
      }
    }
  }

  private SimBulk.Deed deed() {
    return List.of(SimBulk.Deed.values()).get(dice.nextInt(SimBulk.Deed.values().length));
  }

  private Object runOrPipeline(SimStart start) {
    return dice.nextInt(3) == 0 ? start.pipeline().name() : start.run();
  }

  private void fork(SimProcess process, SimStart start) {
    List<String> keys = start.model().keys();
    String node = keys.get(1 + dice.nextInt(keys.size() - 1));
    simulation.trace(process.name + " forks " + start.key + " at " + node);
    try {
      UUID run = process.operator().fork(start.run(), node, "on purpose");
      simulation.starts().add(SimStart.fork(start, start.key + "/" + node, run, dice));
    } catch (NotForkableException e) {
      simulation.trace("    " + e.getMessage());
    } catch (StoreException e) {
      simulation.trace("    the fork failed: " + e.failure());
    }
  }

  private void revive(SimProcess process, SimStart start) {
    simulation.trace(process.name + " revives " + start.key);
    pauses.over(start.run());
    try {
      process.operator().revive(start.run(), "on purpose");
      start.reviving(true);
    } catch (NotRevivableException | RunHaltingException e) {
      simulation.trace("    " + e.getMessage());
    } catch (StoreException e) {
      start.reviving(false);
      simulation.trace("    the revive failed: " + e.failure());
    }
  }

  private void cancel(SimProcess process, SimStart start) {
    cancel(process, start, Duration.ofSeconds(5L * dice.nextInt(3)));
  }

  private void cancel(SimProcess process, SimStart start, Duration grace) {
    simulation.trace(process.name + " cancels " + start.key + " with a grace of " + grace);
    try {
      simulation.trace("    " + process.operator().cancel(start.run(), "on purpose", grace));
      start.canceling(true);
    } catch (RunEndedException e) {
      simulation.trace("    " + e.getMessage());
    } catch (StoreException e) {
      start.canceling(false);
      simulation.trace("    the cancel failed: " + e.failure());
    }
  }
}
