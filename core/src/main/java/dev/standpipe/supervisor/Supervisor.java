package dev.standpipe.supervisor;

import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.port.Store;
import dev.standpipe.spi.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a number of child JVMs running, each of which runs a main class that serves pipelines. A
 * child that dies is replaced, and its steps are ready for the others at once instead of after its
 * lease; a child that hangs is killed. Thread-safe.
 *
 * <pre>{@code
 * try (Supervisor supervisor = Supervisor.on(dataSource).main("com.acme.Worker").processes(4).start()) {
 *   …
 * }
 * }</pre>
 */
public final class Supervisor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("dev.standpipe.events");
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration WATCH_DRAIN = Duration.ofMillis(20);
  private static final Duration UNTIL_DEAD = Duration.ofSeconds(5);

  private final Store store;
  private final Events events;
  private volatile Path directory;
  private final Duration grace;
  private final List<ChildSlot> seats = new ArrayList<>();
  private final Semaphore woken = new Semaphore(0);
  private final Thread thread = new Thread(this::run, "standpipe-supervisor");
  private boolean reachable = true;
  private volatile boolean stopped;

  /**
   * How to supervise.
   *
   * @param store where leases are looked up and reaped
   * @param events who is told
   * @param processes how many children
   * @param grace how long they may take to stop
   * @param pace how hasty to be
   */
  record Setup(Store store, Events events, int processes, Duration grace, ChildSlot.Pace pace) {}

  Supervisor(Setup setup, Launch launch) {
    this.store = setup.store();
    this.events = setup.events();
    this.grace = setup.grace();
    try {
      this.directory = newDirectory();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot make a directory for the children's rosters", e);
    }
    for (int i = 1; i <= setup.processes(); i++) {
      seats.add(
          new ChildSlot(i, n -> start(n, launch), store.processes(), setup.events(), setup.pace()));
    }
  }

  /** Begins to set up a supervisor of children that work on this database. */
  public static SupervisorBuilder on(DataSource dataSource) {
    return new SupervisorBuilder(dataSource);
  }

  Supervisor start() {
    thread.setDaemon(true);
    thread.start();
    return this;
  }

  private Child start(int number, Launch launch) {
    try {
      return Child.start(number, launch, newRoster(number), woken::release);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot make a roster", e);
    }
  }

  /** A cleaner of temporary files may have removed the directory of a long-lived supervisor. */
  private Path newRoster(int number) throws IOException {
    if (!Files.isDirectory(directory)) {
      directory = newDirectory();
    }
    return Files.createTempFile(directory, "child-" + number + "-", ".roster");
  }

  private static Path newDirectory() throws IOException {
    return Files.createTempDirectory("standpipe-supervisor");
  }

  /** The operating system's numbers of the children that live. */
  public List<Long> pids() {
    return children().filter(Child::isAlive).map(Child::pid).toList();
  }

  /** Has every child print what its threads do to its standard output. */
  public void dumpThreads() {
    children()
        .filter(Child::isAlive)
        .forEach(
            child -> {
              try {
                child.dumpThreads();
              } catch (IOException e) {
                throw new UncheckedIOException("Cannot send a signal: there is no shell", e);
              }
            });
  }

  private Stream<Child> children() {
    return seats.stream().map(ChildSlot::child).filter(Objects::nonNull);
  }

  private void run() {
    while (!stopped) {
      seats.forEach(this::tend);
      Duration wait = LOOK;
      for (ChildSlot seat : seats) {
        wait = seat.wait(wait);
      }
      try {
        if (woken.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS)) {
          woken.drainPermits();
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Whatever fails is tried again with the next look: the others are watched meanwhile. */
  private void tend(ChildSlot seat) {
    try {
      seat.tend();
      if (!reachable) {
        reachable = true;
        events.publish(new Event.DatabaseBack("supervisor"));
      }
    } catch (StandpipeException e) {
      if (reachable) {
        reachable = false;
        events.publish(new Event.DatabaseLost("supervisor", String.valueOf(e.getMessage())));
      }
    } catch (RuntimeException | Error e) {
      LOG.error("event=supervisor_failed : a look at child {} failed", seat.number(), e);
    }
  }

  /**
   * Stops all children in good order: each is asked to, gets the grace to do so, and is killed if
   * it has not. What they still held is ready for others when this returns.
   */
  @Override
  public void close() {
    if (stopped) {
      return;
    }
    stopped = true;
    woken.release();
    join();
    children().forEach(Child::terminate);
    if (!within(grace, this::allEnded)) {
      children().forEach(Child::kill);
      within(UNTIL_DEAD, this::allEnded);
    }
    seats.forEach(this::clear);
    store.close();
    events.close();
    try {
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      directory.toFile().deleteOnExit();
    }
  }

  /** A process that cannot be reaped now is reaped when its lease has run out. */
  private void clear(ChildSlot seat) {
    Child child = seat.child();
    if (child != null && !child.isAlive()) {
      try {
        seat.clear(child);
      } catch (StandpipeException e) {
        events.publish(new Event.DatabaseLost("supervisor", String.valueOf(e.getMessage())));
      }
    }
  }

  private void join() {
    try {
      thread.join(UNTIL_DEAD.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean allEnded() {
    return children().noneMatch(Child::isAlive);
  }

  private static boolean within(Duration time, BooleanSupplier condition) {
    long deadline = System.nanoTime() + time.toNanos();
    while (!condition.getAsBoolean()) {
      if (deadline - System.nanoTime() <= 0) {
        return false;
      }
      LockSupport.parkNanos(WATCH_DRAIN.toNanos());
    }
    return true;
  }
}
