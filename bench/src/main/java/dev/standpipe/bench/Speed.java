package dev.standpipe.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;

public final class Speed {
  public static void main(String[] args) throws Exception {
    int runs = Integer.getInteger("runs", 20_000);
    if (System.getProperty("url") != null) {
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(System.getProperty("url"));
      config.setMaximumPoolSize(12);
      try (HikariDataSource source = new HikariDataSource(config)) {
        for (int i = 0; i < Integer.getInteger("repeats", 3); i++) {
          chain(source, runs);
        }
        latency(source);
      }
      return;
    }
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.builder()
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .setServerConfig("shared_buffers", "256MB")
            .setServerConfig("max_wal_size", "4GB")
            .setServerConfig("shared_preload_libraries", Boolean.getBoolean("explain") ? "auto_explain,pg_stat_statements" : "")
            .setServerConfig("auto_explain.log_min_duration", "0").setServerConfig("auto_explain.sample_rate", "0.02").setServerConfig("auto_explain.log_analyze", Boolean.getBoolean("explain") ? "on":"off").setServerConfig("auto_explain.log_buffers", "on")
            .start()) {
      System.out.println("pid port " + postgres.getPort());
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(postgres.getJdbcUrl("postgres", "postgres"));
      config.setMaximumPoolSize(12);
      try (HikariDataSource source = new HikariDataSource(config)) {
        for (int i = 0; i < Integer.getInteger("repeats", 3); i++) {
          chain(source, runs);
        }
        if (Boolean.getBoolean("explain")) {
          try (Connection c = source.getConnection(); Statement st = c.createStatement()) {
            st.execute("create extension if not exists pg_stat_statements");
            ResultSet r = st.executeQuery("select calls, round(total_exec_time::numeric,0) t, round((total_exec_time/calls)::numeric,3) m, rows, left(regexp_replace(query, '\\s+', ' ', 'g'), 90) q from pg_stat_statements order by 2 desc limit 14");
            while (r.next()) System.out.println(r.getString(1) + "\t" + r.getString(2) + "ms\t" + r.getString(3) + "\t" + r.getString(4) + "\t" + r.getString(5));
          }
        }
        latency(source);
      }
    }
  }

  static Pipeline<Integer, Integer> pipeline(int steps) {
    return Pipeline.define(
        "chain-" + steps,
        Integer.class,
        Integer.class,
        flow -> {
          var node = flow.input();
          for (int i = 0; i < steps; i++) {
            node = node.step("step-" + i, Integer.class, n -> n + 1);
          }
          return node;
        });
  }

  static void chain(DataSource source, int runs) throws Exception {
    Pipeline<Integer, Integer> chain = pipeline(5);
    List<Integer> inputs = IntStream.range(0, runs).boxed().toList();
    long t0 = System.nanoTime();
    Run<Integer> last;
    try (Standpipe client = Standpipe.on(source).start()) {
      for (int i = 0; i < runs; i += 1000) {
        client.startAll(chain, inputs.subList(i, Math.min(runs, i + 1000)));
      }
    }
    long t1 = System.nanoTime();
    long commits = query(source, "select xact_commit from pg_stat_database where datname = 'postgres'");
    long wal = query(source, "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint");
    long t2 = System.nanoTime();
    double jvm0 = jvmCpu(), pg0 = pgCpu();
    try (Standpipe server =
        Standpipe.on(source).serve(chain).concurrency(Integer.getInteger("concurrency", 16)).start()) {
      while (query(source, "select count(*) from (select 1 from standpipe_task limit 1) t") > 0) {
        Thread.sleep(50);
      }
      long t3 = System.nanoTime();
      System.out.printf("cpu us/step: jvm %.1f pg %.1f%n", (jvmCpu()-jvm0)*1e6/(runs*5), (pgCpu()-pg0)*1e6/(runs*5));
      Thread.sleep(1500);
      long steps = runs * 5L;
      commits = query(source, "select xact_commit from pg_stat_database where datname = 'postgres'") - commits;
      wal = query(source, "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint") - wal;
      System.out.printf(
          "start %.0f runs/s; chain %.0f steps/s, %.4f commits/step, %d WAL bytes/step%n",
          runs / ((t1 - t0) / 1e9), steps / ((t3 - t2) / 1e9), (double) commits / steps, wal / steps);
    }
    System.out.println("succeeded " + query(source, "select count(*) from standpipe_run where status = 'succeeded'"));
  }

  static void latency(DataSource source) throws Exception {
    Pipeline<Integer, Integer> one = pipeline(1);
    try (Standpipe server = Standpipe.on(source).serve(one).start()) {
      long[] took = new long[2000];
      for (int i = 0; i < took.length; i++) {
        long t = System.nanoTime();
        server.start(one, i, RunOptions.none()).await(Duration.ofSeconds(10));
        took[i] = System.nanoTime() - t;
      }
      long[] warm = Arrays.copyOfRange(took, 500, took.length);
      Arrays.sort(warm);
      System.out.printf(
          "latency p50 %.2f ms p99 %.2f ms max %.2f ms%n",
          warm[warm.length / 2] / 1e6, warm[warm.length * 99 / 100] / 1e6, warm[warm.length - 1] / 1e6);
    }
  }

  static double jvmCpu() {
    return ((com.sun.management.OperatingSystemMXBean) java.lang.management.ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
  }

  static double pgCpu() {
    double sum = 0;
    for (var h : (Iterable<ProcessHandle>) ProcessHandle.current().descendants()::iterator) {
      try {
        String[] f = java.nio.file.Files.readString(java.nio.file.Path.of("/proc/" + h.pid() + "/stat")).split("\\) ")[1].split(" ");
        sum += (Long.parseLong(f[11]) + Long.parseLong(f[12])) / 100.0;
      } catch (Exception e) {
        // gone
      }
    }
    for (var h : (Iterable<ProcessHandle>) ProcessHandle.allProcesses()::iterator) {
      try {
        if (java.nio.file.Files.readString(java.nio.file.Path.of("/proc/" + h.pid() + "/stat")).split("\\) ")[1].split(" ")[1].equals(System.getProperty("pm"))) {
          String[] f = java.nio.file.Files.readString(java.nio.file.Path.of("/proc/" + h.pid() + "/stat")).split("\\) ")[1].split(" ");
          sum += (Long.parseLong(f[11]) + Long.parseLong(f[12])) / 100.0;
        }
      } catch (Exception e) {
        // gone
      }
    }
    return sum;
  }

  static long query(DataSource source, String sql) throws SQLException {
    try (Connection c = source.getConnection();
        Statement s = c.createStatement();
        ResultSet r = s.executeQuery(sql)) {
      r.next();
      return r.getLong(1);
    }
  }
}
