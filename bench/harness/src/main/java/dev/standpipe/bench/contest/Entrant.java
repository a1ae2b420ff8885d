package dev.standpipe.bench.contest;

import java.util.Arrays;
import java.util.Optional;

/** Who takes part, and where the code is. */
public enum Entrant {
  /** The product. */
  STANDPIPE("standpipe", "harness", "standpipe.StandpipeContender"),
  /** The product as it was at an older commit, built from there. */
  BEFORE("before", "harness", "standpipe.StandpipeContender"),
  /** The practical limit. */
  RAW("raw", "harness", "raw.RawContender"),
  /** A peer. */
  DB_SCHEDULER("db-scheduler", "peers-jdbc", "dbscheduler.DbSchedulerContender"),
  /** A peer. */
  JOBRUNR("jobrunr", "peer-jobrunr", "jobrunr.JobRunrContender"),
  /** A peer. */
  DBOS("dbos", "peer-dbos", "dbos.DbosContender"),
  /** A peer. */
  QUARTZ("quartz", "peers-jdbc", "quartz.QuartzContender");

  private final String title;
  private final String module;
  private final String mainClass;

  Entrant(String title, String module, String mainClass) {
    this.title = title;
    this.module = module;
    this.mainClass = "dev.standpipe.bench." + mainClass;
  }

  /** The name in the results. */
  public String title() {
    return title;
  }

  /** Whether it is let finish what it is given, however long that takes. */
  boolean finishes() {
    return this == STANDPIPE || this == BEFORE || this == RAW;
  }

  /** The Maven module, below {@code bench}. */
  String module() {
    return module;
  }

  /** What to start. */
  String mainClass() {
    return mainClass;
  }

  /** The one with this name in the results. */
  public static Optional<Entrant> named(String title) {
    return Arrays.stream(values()).filter(entrant -> entrant.title.equals(title)).findFirst();
  }
}
