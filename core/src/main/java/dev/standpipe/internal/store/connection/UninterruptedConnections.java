package dev.standpipe.internal.store.connection;

import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps interrupts away from connections that others depend on. Bodies read through them, and a
 * body may be interrupted at any moment, by the engine or by anybody else. On a virtual thread an
 * interrupt closes the socket that the thread reads from, so the work is done by a platform thread
 * meanwhile; on a platform thread it does not. The thread lives only while it is used.
 */
public final class UninterruptedConnections implements Connections {
  private static final @Nullable Method IS_VIRTUAL = isVirtualMethod();
  private static final long KEEP_SECONDS = 5;

  private final Connections connections;
  private final ThreadPoolExecutor reader;

  /** Does the work on these. */
  public UninterruptedConnections(Connections connections) {
    this.connections = connections;
    this.reader =
        new ThreadPoolExecutor(
            1,
            1,
            KEEP_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "standpipe-reader");
              thread.setDaemon(true);
              return thread;
            });
    reader.allowCoreThreadTimeOut(true);
  }

  @Override
  public <T> T use(LinkWork<T> work) throws SQLException {
    boolean interrupted = Thread.interrupted();
    try {
      if (!isVirtual()) {
        return connections.use(work);
      }
      FutureTask<T> task = new FutureTask<>(() -> connections.use(work));
      reader.execute(task);
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw rethrown(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static SQLException rethrown(@Nullable Throwable cause) {
    if (cause instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof SQLException sql ? sql : new SQLException(cause);
  }

  private static boolean isVirtual() {
    try {
      return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invoke(Thread.currentThread());
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /** There are virtual threads from Java 21 on. */
  private static @Nullable Method isVirtualMethod() {
    try {
      return Thread.class.getMethod("isVirtual");
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  @Override
  public boolean joined() {
    return connections.joined();
  }

  @Override
  public void close() {
    reader.shutdown();
    connections.close();
  }
}
