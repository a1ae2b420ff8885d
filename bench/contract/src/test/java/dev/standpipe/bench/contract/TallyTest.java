package dev.standpipe.bench.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TallyTest {
  private static final int ROUNDS = 300;

  /**
   * It was once the other way round, and a round seemed to have taken as long as the machine was
   * up.
   */
  @Test
  void aReaderOfTheCountSeesTheFirstStepsTime() throws Exception {
    long began = System.nanoTime();
    for (int round = 0; round < ROUNDS; round++) {
      Tally tally = new Tally();
      Thread body = new Thread(() -> stepIn(tally));
      body.start();
      while (tally.steps() == 0) {
        Thread.onSpinWait();
      }
      assertThat(tally.firstAt() - began).as("round %d", round).isNotNegative();
      body.join();
    }
  }

  private static void stepIn(Tally tally) {
    try {
      tally.step(0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
