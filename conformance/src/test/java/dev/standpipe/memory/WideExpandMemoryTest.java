package dev.standpipe.memory;

import java.time.Duration;

/** An expand into 100,000 elements fits into 256 MB. */
class WideExpandMemoryTest extends Fit {
  WideExpandMemoryTest() {
    super(
        ExpandWorker.class,
        "expand",
        Integer.getInteger("elements", 100_000),
        Duration.ofMinutes(5));
  }
}
