package dev.standpipe.faults;

import static org.awaitility.Awaitility.await;

import dev.standpipe.Run;
import dev.standpipe.conformance.fixture.Audit;
import dev.standpipe.conformance.fixture.History;
import dev.standpipe.conformance.fixture.History.Entry;
import dev.standpipe.conformance.fixture.History.What;
import dev.standpipe.conformance.server.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/** The child JVMs of one test, and what they wrote down. They end with the test. */
final class Workers implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Path directory;
  private final List<WorkerJvm> jvms = new ArrayList<>();
  private final Set<String> names = new LinkedHashSet<>();

  Workers(Path directory) {
    this.directory = directory;
  }

  /** Sets one up whose bodies take this long. */
  WorkerJvm.Setup setup(String name, String url, Duration lease, Duration pause) {
    names.add(name);
    return FaultWorker.setup(name, directory, url, lease)
        .argument("pause", pause.toMillis())
        .argument("grace", 1_000);
  }

  /** Starts one and does not wait for it. */
  WorkerJvm hire(WorkerJvm.Setup setup) {
    WorkerJvm jvm = setup.start();
    jvms.add(jvm);
    return jvm;
  }

  /** Starts one whose bodies take this long. */
  WorkerJvm hire(String name, String url, Duration lease, Duration pause) {
    return hire(setup(name, url, lease, pause));
  }

  /** Starts one and waits until it serves. */
  WorkerJvm hireReady(String name, String url, Duration lease, Duration pause) {
    WorkerJvm jvm = hire(name, url, lease, pause);
    jvm.awaitLine("ready");
    return jvm;
  }

  List<WorkerJvm> all() {
    return jvms;
  }

  List<Entry> history(String name) {
    return History.read(directory.resolve(name + ".history"));
  }

  long count(String name, What what) {
    return history(name).stream().filter(entry -> entry.what() == what).count();
  }

  long count(What what) {
    return names.stream().mapToLong(name -> count(name, what)).sum();
  }

  void awaitCount(String name, What what, long least) {
    await().atMost(PATIENCE).until(() -> count(name, what) >= least);
  }

  void awaitAccepted(long least) {
    await().atMost(PATIENCE).until(() -> count(What.ACCEPTED) >= least);
  }

  /** Waits until all runs have ended, then compares what everybody says. */
  Audit assertAllWell(DataSource source, List<Run<Integer>> runs) {
    await().atMost(PATIENCE).until(() -> runs.stream().allMatch(run -> run.status().isTerminal()));
    List<Entry> histories = new ArrayList<>();
    names.forEach(name -> histories.addAll(history(name)));
    Audit audit = new Audit(source, histories);
    audit.assertAllSucceeded(runs.size(), FaultWorker.STEPS);
    audit.assertNoAttemptWasUsedUp();
    audit.assertHistoriesAgree();
    return audit;
  }

  /** How many lines of their output, taken together, say this. */
  long said(String text) {
    return jvms.stream()
        .flatMap(jvm -> jvm.output().stream())
        .filter(line -> line.contains(text))
        .count();
  }

  @Override
  public void close() {
    jvms.forEach(WorkerJvm::close);
  }
}
