package dev.standpipe.bench.report;

import com.sun.management.OperatingSystemMXBean;
import dev.standpipe.bench.server.Gauge;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Where and when it was measured: hardware, system, Java, database and its settings. */
public record Machine(Map<String, String> facts) {
  private static final List<String> SETTINGS =
      List.of(
          "fsync",
          "synchronous_commit",
          "full_page_writes",
          "wal_sync_method",
          "shared_buffers",
          "max_wal_size",
          "checkpoint_timeout",
          "autovacuum",
          "shared_preload_libraries");

  /** This one, with this database. */
  public static Machine here(Gauge gauge) throws SQLException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
    facts.put("cpu", cpu());
    facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", memory());
    facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.put("postgresql", gauge.setting("server_version"));
    for (String setting : SETTINGS) {
      facts.put(setting, gauge.setting(setting));
    }
    return new Machine(facts);
  }

  /** The same with one more fact. */
  public Machine with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(facts);
    more.put(name, value);
    return new Machine(more);
  }

  private static String cpu() {
    try {
      return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }

  private static String memory() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return String.format(Locale.ROOT, "%.1f GB", system.getTotalMemorySize() / 1e9);
  }
}
