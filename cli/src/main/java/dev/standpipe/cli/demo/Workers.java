package dev.standpipe.cli.demo;

import static dev.standpipe.cli.demo.Words.counted;

import dev.standpipe.cli.CommandFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The workers of a demo, all that there have been. Thread-safe. */
final class Workers implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final WorkerProcess.Site site;
  private final Screen screen;
  private final List<WorkerProcess> all = new CopyOnWriteArrayList<>();
  private final Map<String, Integer> takeovers = new ConcurrentHashMap<>();

  Workers(WorkerProcess.Site site, Screen screen) {
    this.site = site;
    this.screen = screen;
  }

  /** Starts one more. */
  WorkerProcess start() {
    WorkerProcess worker = WorkerProcess.start(all.size() + 1, site, this::heard);
    all.add(worker);
    return worker;
  }

  private void heard(WorkerEvent event) {
    if (event instanceof WorkerEvent.Reaped reaped) {
      takeovers.merge(reaped.process(), 1, Integer::sum);
      String steps = counted(reaped.steps(), "step");
      screen.say(
          reaped.process().startsWith(WorkerProcess.NAME)
              ? "%s: its lease ran out; %s taken over".formatted(title(reaped), steps)
              : "%s that nobody held any more taken over".formatted(steps));
    }
  }

  private static String title(WorkerEvent.Reaped reaped) {
    return reaped.process().replace('-', ' ');
  }

  /** Those that serve the pipeline. */
  List<WorkerProcess> serving() {
    return all.stream().filter(WorkerProcess::isServing).toList();
  }

  /** How often others have taken the steps of this one. */
  int takeovers(WorkerProcess worker) {
    return takeovers.getOrDefault(worker.name(), 0);
  }

  int staleWrites() {
    return all.stream().mapToInt(WorkerProcess::staleWrites).sum();
  }

  /** A worker that dies by itself is not part of the show. */
  void requireNoneFailed() {
    for (WorkerProcess worker : all) {
      if (worker.hasFailed()) {
        throw new CommandFailure(
            CommandFailure.FAILED,
            "%s has ended by itself. Its last words: %s"
                .formatted(worker.title(), worker.lastWords()));
      }
    }
  }

  /** Lets them finish in good order. */
  void stop() throws InterruptedException {
    for (WorkerProcess worker : all) {
      worker.stop(GRACE);
    }
  }

  @Override
  public void close() {
    for (WorkerProcess worker : all) {
      try {
        worker.kill();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
