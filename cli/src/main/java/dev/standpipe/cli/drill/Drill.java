package dev.standpipe.cli.drill;

import java.util.List;

/** A fault to stage. */
interface Drill {
  /** All there are, in the order of {@code all}. */
  List<Drill> ALL =
      List.of(
          new LeaseRace(),
          new WorkerCrash(),
          new Zombie(),
          new Poison(),
          new RetryBackoff(),
          new Partition(),
          new CommitLost(),
          new DbRestart());

  /** What it is called. */
  String name();

  /** What it shows. */
  String claim();

  /** Stages it; whoever calls asks the stage whether all went well. */
  Stage play(Theatre theatre) throws Exception;
}
