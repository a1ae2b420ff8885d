package dev.standpipe.internal.store.jdbc;

import dev.standpipe.internal.port.Runs.Followed;

/**
 * The numbers that stand for words in the tables, and in what a settlement asks for. SQL names
 * them, as in {@code :state.ready}; see {@link SqlConstants}.
 */
public enum StoredCode {
  /** A task that anybody may claim. */
  READY("state.ready", 0),
  /** A task that a process holds. */
  LEASED("state.leased", 1),
  /** A task that waits for its time. */
  SCHEDULED("state.scheduled", 2),
  /** A task that may be claimed, but not together with others that are not suspected. */
  SUSPECT("state.suspect", 3),
  /** What marks a run that is halting. */
  HALTING("state.halting", 4),
  /** A task that goes when it is settled: never stored. */
  GONE("state.gone", -1),
  /** A task that goes, and with which its run has succeeded: never stored. */
  RUN_ENDED("state.run_ended", -2),

  /** The result of a step that succeeded. */
  SUCCEEDED("outcome.succeeded", 1),
  /** The result of a step that failed. */
  FAILED("outcome.failed", 2),
  /** One of the elements that an expand has yielded. */
  ELEMENT("outcome.element", 3),
  /** The result of a step that was skipped. */
  SKIPPED("outcome.skipped", 4),

  /** Stands for all elements of an expand that was skipped. */
  ALL_ELEMENTS("index.all", -1),

  /** A run whose end nothing follows. */
  BY_NOTHING("followed.by_nothing", Followed.NOT.code()),
  /** A run whose end something follows. */
  BY_SOMETHING("followed.by_something", Followed.YES.code()),
  /** A run that is also compensated unless it succeeds. */
  TO_COMPENSATE("followed.to_compensate", Followed.COMPENSATED.code());

  private final String word;
  private final short number;

  StoredCode(String word, int number) {
    this.word = word;
    this.number = (short) number;
  }

  /** How it is stored. */
  public short number() {
    return number;
  }

  /** What SQL calls it, after a colon. */
  String word() {
    return word;
  }
}
