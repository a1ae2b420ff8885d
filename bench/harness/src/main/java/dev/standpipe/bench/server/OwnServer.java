package dev.standpipe.bench.server;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Starts a PostgreSQL server of the benchmark's own, as durable as one in production. */
public final class OwnServer {
  private static final Duration STARTUP = Duration.ofSeconds(60);

  private OwnServer() {}

  /** Starts one. */
  public static Server start() throws IOException {
    EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder().setPGStartupWait(STARTUP);
    settings().forEach(builder::setServerConfig);
    EmbeddedPostgres server = builder.start();
    return new Server(server.getJdbcUrl("postgres", "postgres"), server::close);
  }

  private static Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("fsync", "on");
    settings.put("synchronous_commit", "on");
    settings.put("full_page_writes", "on");
    settings.put("shared_buffers", "256MB");
    settings.put("max_wal_size", "4GB");
    settings.put("max_connections", "200");
    settings.put("shared_preload_libraries", "pg_stat_statements");
    return settings;
  }
}
