package dev.standpipe.bench.contract;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.Map;

/** What this JVM has used since a moment. Not thread-safe. */
final class Usage {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final long cpuNanos = SYSTEM.getProcessCpuTime();

  private Usage() {}

  /** Counts from now. */
  static Usage begin() {
    heapPools().forEach(MemoryPoolMXBean::resetPeakUsage);
    return new Usage();
  }

  /** Adds processor seconds and the peak of the heap to the figures. */
  void addTo(Map<String, Object> figures) {
    figures.put("jvm_cpu_s", (SYSTEM.getProcessCpuTime() - cpuNanos) / 1e9);
    long peak = heapPools().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
    figures.put("peak_heap_mb", peak / 1048576.0);
  }

  private static List<MemoryPoolMXBean> heapPools() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .toList();
  }
}
