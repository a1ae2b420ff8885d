package dev.standpipe.cli.drill;

/** A worker is frozen past its lease, replaced, and thawed. */
final class Zombie implements Drill {
  private static final int RUNS = 4;

  @Override
  public String name() {
    return "zombie";
  }

  @Override
  public String claim() {
    return "a worker JVM is frozen (SIGSTOP) past its lease and thawed; its late writes are refused";
  }

  @Override
  public Stage play(Theatre theatre) throws InterruptedException {
    Stage stage = theatre.stage();
    stage.startRuns(RUNS);
    Worker zombie = stage.worker("zombie");
    if (!stage.await(
        "the zombie takes the steps", () -> zombie.heard("execution_started") >= RUNS)) {
      return stage;
    }
    zombie.freeze();
    while (!stage.isWritable()) {
      zombie.thaw();
      zombie.freeze();
    }
    stage.story().tell("worker_frozen", "zombie, holding " + RUNS + " steps");
    stage.start(stage.process("successor", stage.source(), Stage.pipeline((text, ctx) -> text)));
    stage.awaitEnded(RUNS);
    zombie.thaw();
    stage.story().tell("worker_thawed", "zombie, whose steps others have finished");
    stage.await("every late write is refused", () -> zombie.heard("stale_write_blocked") >= RUNS);
    stage.check(
        "no late value got in (I3)",
        stage.count("select count(*) from %sresult where value like '%late%'") == 0);
    stage.checkInvariants(RUNS);
    return stage;
  }
}
