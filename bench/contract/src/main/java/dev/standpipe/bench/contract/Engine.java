package dev.standpipe.bench.contract;

/** A contender at work on one database. Thread-safe; closing it closes all its connections. */
public interface Engine extends AutoCloseable {
  /** Starts a run. When this returns it is durable. */
  void start(int run) throws Exception;

  /** Starts runs in the fastest way there is for many. When this returns they are durable. */
  void startAll(int first, int count) throws Exception;

  /** Starts a run and waits until it has ended, as far as a caller can tell. */
  void call(int run) throws Exception;

  /** Whether nothing is left to do in the database. */
  boolean drained() throws Exception;

  @Override
  void close();
}
