package dev.standpipe.internal.engine.loop;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/** Threads for bodies: virtual where the Java runtime has them (21 and newer), pooled elsewhere. */
public final class Threads {
  private static final AtomicLong COUNT = new AtomicLong();

  private Threads() {}

  public static ExecutorService forBodies() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      return Executors.newCachedThreadPool(daemons("standpipe-body-"));
    }
  }

  /** Daemon threads with numbered names. */
  public static ThreadFactory daemons(String prefix) {
    return task -> {
      Thread thread = new Thread(task, prefix + COUNT.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
