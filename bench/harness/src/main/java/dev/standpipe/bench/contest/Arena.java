package dev.standpipe.bench.contest;

import dev.standpipe.bench.server.Gauge;
import dev.standpipe.bench.server.Server;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where rounds take place.
 *
 * @param server the database server
 * @param gauge what reads its meters
 * @param processes where the contenders' JVMs come from
 * @param databases counts the databases made
 */
public record Arena(Server server, Gauge gauge, Processes processes, AtomicInteger databases) {
  private static final String RUN =
      Long.toString(System.currentTimeMillis(), Character.MAX_RADIX)
          + "_"
          + ProcessHandle.current().pid();

  /** A name for a database that nobody has had, on a server that others may use as well. */
  String nextDatabase() {
    return "standpipe_bench_" + RUN + "_" + databases.incrementAndGet();
  }
}
