package dev.standpipe.cli.demo;

import java.util.List;

/**
 * What the audit has counted.
 *
 * @param runs how many runs were started
 * @param runsSucceeded how many of them succeeded
 * @param steps how many results are committed
 * @param crashedAttempts how many tries died with their process and were made again
 * @param receipts how many orders have exactly one receipt
 * @param receiptsDuplicated how many have more than one that the outside world cannot tell apart
 * @param bodiesRepeated how many steps had their effect more than once
 * @param problems what must not be, in words; empty if all is well
 */
record Findings(
    int runs,
    int runsSucceeded,
    int steps,
    int crashedAttempts,
    int receipts,
    int receiptsDuplicated,
    int bodiesRepeated,
    List<String> problems) {

  boolean ok() {
    return problems.isEmpty();
  }
}
