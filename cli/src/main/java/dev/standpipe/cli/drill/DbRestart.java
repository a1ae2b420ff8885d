package dev.standpipe.cli.drill;

import java.io.IOException;

/** The database server dies under load and comes back. */
final class DbRestart implements Drill {
  private static final int RUNS = 30;

  @Override
  public String name() {
    return "db-restart";
  }

  @Override
  public String claim() {
    return "a PostgreSQL server of the drill's own is killed (SIGKILL) under load and restarted";
  }

  @Override
  public Stage play(Theatre theatre) throws IOException, InterruptedException {
    DrillServer server = theatre.server();
    Stage stage = theatre.stage(server.address());
    stage.startRuns(RUNS);
    stage.start(
        stage.process(
            "worker",
            stage.source(),
            Stage.pipeline(
                (text, ctx) -> {
                  Thread.sleep(50);
                  return text;
                })));
    stage.await(
        "work is under way",
        () -> stage.count("select count(*) from %sresult where node = 'step-2'") > RUNS / 10);
    server.kill();
    stage.story().tell("server_killed", "all connections are gone");
    server.restart();
    stage.story().tell("server_restarted", "on the same data");
    stage.awaitEnded(RUNS);
    stage.checkInvariants(RUNS);
    return stage;
  }
}
