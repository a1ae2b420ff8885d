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
  /** A name for a database that nobody has had. */
  String nextDatabase() {
    return "standpipe_bench_" + databases.incrementAndGet();
  }
}
