package dev.standpipe.cli.drill;

import dev.standpipe.Standpipe;
import dev.standpipe.operate.QuarantinedStep;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A step kills every worker that runs it. */
final class Poison implements Drill {
  /** The input of the run that kills its worker. */
  static final String INPUT = "poison";

  private static final int NEIGHBOURS = 6;

  @Override
  public String name() {
    return "poison";
  }

  @Override
  public String claim() {
    return "a step kills every worker that runs it; it is quarantined, its neighbours finish";
  }

  @Override
  public Stage play(Theatre theatre) throws InterruptedException {
    Stage stage = theatre.stage();
    List<String> inputs = new ArrayList<>(Collections.nCopies(NEIGHBOURS, "go"));
    inputs.add(0, INPUT);
    stage.startRuns(inputs);
    int workers = killWorkers(stage);
    stage.story().tell("step_quarantined", "its run halts; " + workers + " workers have met it");
    stage.check(
        "it was not given up before its crash limit of " + Stage.CRASH_LIMIT,
        workers >= Stage.CRASH_LIMIT);
    try (Standpipe fixed =
        stage.process("fixed", stage.source(), Stage.pipeline((text, ctx) -> text)).start()) {
      stage.await("the neighbours finish", () -> succeeded(stage) == NEIGHBOURS);
      List<QuarantinedStep> quarantined = fixed.quarantine().list(10);
      stage.check("the poison step and nothing else is in quarantine", quarantined.size() == 1);
      for (QuarantinedStep step : quarantined) {
        fixed.quarantine().release(step.step(), "drill", "the step is fixed");
        stage.story().tell("step_released", "after " + step.crashes() + " crashes, now fixed");
      }
      stage.await("all runs succeed", () -> succeeded(stage) == NEIGHBOURS + 1);
    }
    stage.checkInvariants(NEIGHBOURS + 1);
    return stage;
  }

  /** Puts a new worker in the place of each that dies, as a supervisor would. */
  private static int killWorkers(Stage stage) throws InterruptedException {
    int workers = 0;
    while (!isQuarantined(stage)) {
      Worker worker = stage.poisonableWorker("worker-" + ++workers);
      if (!stage.await(
          "the worker dies or the step is quarantined",
          () -> !worker.isAlive() || isQuarantined(stage))) {
        break;
      }
      if (!worker.isAlive()) {
        stage.story().tell("worker_died", "worker-" + workers + ", of the poison step");
      }
      worker.dismiss(); // killed, it might take a neighbour over the crash limit
    }
    return workers;
  }

  private static boolean isQuarantined(Stage stage) {
    return stage.count("select count(*) from %squarantine") > 0;
  }

  private static int succeeded(Stage stage) {
    return stage.count("select count(*) from %srun where status = 'succeeded'");
  }
}
