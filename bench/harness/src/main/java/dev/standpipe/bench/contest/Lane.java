package dev.standpipe.bench.contest;

/** One contender at one workload, round after round. Not thread-safe. */
interface Lane extends AutoCloseable {
  /** Runs a round and returns what was measured. */
  Round run() throws Exception;

  /** Does the same on a smaller scale, for the JVM to get warm. */
  void warmUp() throws Exception;

  /** Version and configuration of the contender, as JSON. */
  String hello();

  @Override
  void close();
}
