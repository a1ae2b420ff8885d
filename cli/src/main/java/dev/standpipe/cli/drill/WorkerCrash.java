package dev.standpipe.cli.drill;

/** A worker is killed with steps in its hands. */
final class WorkerCrash implements Drill {
  private static final int RUNS = 4;

  @Override
  public String name() {
    return "worker-crash";
  }

  @Override
  public String claim() {
    return "a worker JVM is killed (SIGKILL) while it holds steps; another finishes them";
  }

  @Override
  public Stage play(Theatre theatre) throws InterruptedException {
    Stage stage = theatre.stage();
    stage.startRuns(RUNS);
    Worker victim = stage.worker("victim");
    if (!stage.await(
        "the victim takes the steps", () -> victim.heard("execution_started") >= RUNS)) {
      return stage;
    }
    victim.kill();
    stage.story().tell("worker_killed", "victim, holding " + RUNS + " steps");
    stage.start(stage.process("successor", stage.source(), Stage.pipeline((text, ctx) -> text)));
    stage.awaitEnded(RUNS);
    stage.check(
        "each lost try is on record as crashed",
        stage.count("select count(*) from %sattempt where outcome = 'crashed'") >= RUNS);
    stage.check(
        "no crash has used up a retry (I7)",
        stage.count("select count(*) from %sresult where node <> '$input' and attempt <> 1") == 0);
    stage.checkInvariants(RUNS);
    return stage;
  }
}
