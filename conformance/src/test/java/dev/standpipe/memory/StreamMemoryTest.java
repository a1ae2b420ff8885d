package dev.standpipe.memory;

import java.time.Duration;

/**
 * A stream of any length fits into 256 MB, from its expand to its reduce. With {@code
 * -Dstream.elements=1000000} it is one of a million.
 */
class StreamMemoryTest extends Fit {
  StreamMemoryTest() {
    super(
        StreamWorker.class,
        "stream",
        Integer.getInteger("stream.elements", 50_000),
        Duration.ofMinutes(30));
  }
}
