package dev.standpipe.internal.engine;

import dev.standpipe.definition.NodeKind;

/**
 * Holds expands back while there is enough to do. Each may bring a thousand steps along: if all
 * that are ready ran at once, most of what follows could not be kept and would have to go through
 * the queue. Thread-safe.
 */
final class Surge {
  private static final int ENOUGH = 2_000;
  private static final int FIRST_GUESS = 200;

  private final Hold hold;
  private volatile int usual = FIRST_GUESS;

  Surge(Hold hold) {
    this.hold = hold;
  }

  /** Whether a try has to ask; a suspect has waited for its turn already. */
  static boolean concerns(Work work) {
    return isExpand(work) && !work.isSuspect();
  }

  private static boolean isExpand(Work work) {
    return work.vertex.kind() == NodeKind.EXPAND;
  }

  /** Learns from an outcome how many elements an expand has at present. */
  void observe(Outcome outcome) {
    if (isExpand(outcome.work())) {
      usual = (usual * 3 + outcome.weight()) / 4;
    }
  }

  /** Whether one more expand may run. */
  boolean mayExpand() {
    int open = 0;
    int others = 0;
    for (Work work : hold.works()) {
      if (!isExpand(work)) {
        others++;
      } else if (!work.isQueued()) {
        open++;
      }
    }
    return others <= hold.limit() && (open < 2 || open * usual < ENOUGH);
  }
}
