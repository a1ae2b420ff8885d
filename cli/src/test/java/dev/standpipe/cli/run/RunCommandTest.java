package dev.standpipe.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.Loop;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.cli.Commands;
import dev.standpipe.cli.Commands.Outcome;
import dev.standpipe.error.RunFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

final class RunCommandTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private final AtomicBoolean broken = new AtomicBoolean(true);
  private final Pipeline<String, String> pipeline =
      Pipeline.define(
          "printing",
          String.class,
          String.class,
          flow ->
              flow.input()
                  .step(
                      "press",
                      String.class,
                      text -> {
                        if (broken.get()) {
                          throw new IOException("jammed");
                        }
                        return text + "!";
                      })
                  .retry(Retry.fixed(Duration.ZERO).limit(0)));

  private Outcome run(String command, String... more) {
    List<String> args = new ArrayList<>(List.of("run", command, "--url", url()));
    args.addAll(List.of(more));
    return Commands.run(args.toArray(String[]::new));
  }

  private Outcome decide(String command, UUID run, String... more) {
    List<String> args = new ArrayList<>(List.of(run.toString(), "--by", "ann", "--reason", "why"));
    args.addAll(List.of(more));
    return run(command, args.toArray(String[]::new));
  }

  private String url() {
    return "jdbc:sqlite:" + directory.resolve("x.db");
  }

  private SQLiteDataSource source() {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl(url());
    return source;
  }

  private UUID waiting() {
    try (Standpipe client = Standpipe.on(source()).start()) {
      return client.start(pipeline, "x").id();
    }
  }

  private UUID halted() {
    try (Standpipe process = Standpipe.on(source()).serve(pipeline).start()) {
      Run<String> run = process.start(pipeline, "x");
      assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
      return run.id();
    }
  }

  private String result(UUID run) throws InterruptedException {
    broken.set(false);
    try (Standpipe process = Standpipe.on(source()).serve(pipeline).start()) {
      return process.run(pipeline, run).await(PATIENCE);
    }
  }

  @Test
  void showsARunItsStepsAndItsFailures() {
    UUID run = halted();
    assertThat(run("show", run.toString()).out().lines().toList())
        .contains("run          " + run, "pipeline     printing", "status       halted")
        .anyMatch(line -> line.matches("step +press/0 +failed, attempt 1, 0 crashes"))
        .anyMatch(line -> line.matches("try +press/0 +attempt 1 failed at .*IOException: jammed"));
    assertThat(run("show", run.toString(), "--json").out())
        .startsWith("{\"run\":\"" + run + "\"")
        .contains("\"halt_reason\":\"retries_exhausted\"", "\"steps\":[{\"node\":\"press\"");
  }

  @Test
  void showsTheTurnsOfALoop() throws InterruptedException {
    Pipeline<Integer, String> loop =
        Pipeline.define(
            "looping",
            Integer.class,
            String.class,
            flow ->
                flow.input()
                    .loop(
                        "count",
                        String.class,
                        (n, ctx) -> n < 7 ? Loop.again(n + 1) : Loop.done("seven"))
                    .keep(2));
    UUID run;
    try (Standpipe process = Standpipe.on(source()).serve(loop).start()) {
      Run<String> counted = process.start(loop, 0);
      counted.await(PATIENCE);
      run = counted.id();
    }
    assertThat(run("show", run.toString()).out().lines().toList())
        .anyMatch(line -> line.matches("step +count/0 +succeeded, turn 8, attempt 1, 0 crashes"))
        .anyMatch(line -> line.matches(" +turn +6 at .*: 6"))
        .anyMatch(line -> line.matches(" +turn +7 at .*: 7"))
        .noneMatch(line -> line.matches(" +turn +5 at .*"));
    assertThat(run("show", run.toString(), "--json").out()).contains("\"turn\":8");
  }

  @Test
  void showsTheLinksBetweenRuns() {
    UUID first;
    UUID second;
    try (Standpipe client = Standpipe.on(source()).start()) {
      Run<String> run = client.start(pipeline, "x");
      first = run.id();
      second = run.then(pipeline).id();
    }
    assertThat(run("show", second.toString()).out())
        .contains("status       waiting", "upstreams    [" + first + "]");
    assertThat(run("show", first.toString(), "--json").out())
        .contains("\"downstreams\":[\"" + second + "\"]");
    decide("cancel", first);
    UUID late;
    try (Standpipe process = Standpipe.on(source()).serve(pipeline).start()) {
      late = process.run(pipeline, first).then(pipeline).id();
    }
    assertThat(run("show", late.toString()).out()).contains("status       skipped");
  }

  @Test
  void showsSubStepsAndProgress() throws InterruptedException {
    Pipeline<Integer, Integer> keeping =
        Pipeline.define(
            "keeping",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .step(
                        "work",
                        Integer.class,
                        (n, ctx) -> {
                          for (int i = 0; i < n; i++) {
                            ctx.once("call " + i, () -> {});
                          }
                          return n;
                        }));
    UUID run;
    try (Standpipe process = Standpipe.on(source()).serve(keeping).start()) {
      Run<Integer> started = process.start(keeping, 22);
      started.await(PATIENCE);
      run = started.id();
    }
    assertThat(run("show", run.toString()).out().lines().toList())
        .anyMatch(line -> line.matches("  sub-step +call 0  committed at .*"))
        .anyMatch(line -> line.matches("  sub-step +and 2 more"));
    assertThat(run("show", run.toString(), "--json").out()).contains("\"sub_steps\":22");
  }

  @Test
  void cancelsARunOnce() {
    UUID run = waiting();
    Outcome outcome = decide("cancel", run);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).contains(run + ": canceled, it has ended");
    assertThat(decide("cancel", run, "--json").out()).contains("\"status\":\"canceled\"");
    assertThat(run("show", run.toString()).out())
        .contains("status       canceled", "canceled by  ann", "reason       why");
    UUID done = halted();
    Outcome late = decide("cancel", done);
    assertThat(late.exitCode()).isEqualTo(1);
    assertThat(late.err()).contains("already ended halted");
  }

  @Test
  void revivesARun() throws InterruptedException {
    UUID run = halted();
    assertThat(decide("revive", run, "--only", "other").err()).contains("those of [press]");
    assertThat(decide("revive", run, "--only", "press").out()).contains("revived, it goes on");
    assertThat(result(run)).isEqualTo("x!");
    Outcome again = decide("revive", run);
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("is succeeded");
  }

  @Test
  void startsARunAgain() throws InterruptedException {
    UUID run = halted();
    String out = decide("rerun", run).out().strip();
    UUID again = UUID.fromString(out.substring(out.lastIndexOf(' ') + 1));
    assertThat(result(again)).isEqualTo("x!");
    assertThat(run("show", again.toString()).out()).contains("rerun of     " + run);
    assertThat(run("show", run.toString(), "--json").out())
        .contains("\"reruns\":[\"" + again + "\"]");
    try (Standpipe client = Standpipe.on(source()).start()) {
      assertThat(client.run(run).status()).isEqualTo(RunStatus.HALTED);
    }
  }

  @Test
  void signalsAndApprovesARun() throws InterruptedException {
    Pipeline<String, String> asking =
        Pipeline.define(
            "asking",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .await("sum", Integer.class)
                    .approval("boss")
                    .step("told", String.class, a -> a.by() + " " + a.approved()));
    try (Standpipe process = Standpipe.on(source()).serve(asking).start()) {
      Run<String> yes = process.start(asking, "x");
      Run<String> no = process.start(asking, "y");
      String id = yes.id().toString();
      assertThat(run("signal", id, "sum", "12").out()).contains("sum is signaled");
      assertThat(run("signal", id, "sum", "12", "--json").out()).contains("\"taken\":false");
      assertThat(run("signal", id, "sum", "13").err()).contains("has another signal already");
      assertThat(run("signal", id, "sun", "13").err()).contains("it awaits boss, sum");
      assertThat(run("signal", id, "sum", "{").exitCode()).isEqualTo(2);
      assertThat(run("signal", id, "sum", "null").err()).contains("null is none");
      process.signal(no.id(), "sum", 1);
      assertThat(answer("approve", yes).out()).contains("boss approved");
      assertThat(answer("reject", no, "--json").out()).contains("\"done\":\"rejected\"");
      assertThat(yes.await(PATIENCE)).isEqualTo("ann true");
      assertThat(no.await(PATIENCE)).isEqualTo("ann false");
      assertThat(answer("approve", yes).out()).contains("boss approved already");
      assertThat(run("approve", id, "boss").exitCode()).isEqualTo(2);
    }
  }

  private Outcome answer(String command, Run<?> run, String... more) {
    List<String> args =
        new ArrayList<>(List.of(run.id().toString(), "boss", "--by", "ann", "--comment", "why"));
    args.addAll(List.of(more));
    return run(command, args.toArray(String[]::new));
  }

  @Test
  void forksARun() throws InterruptedException {
    UUID run = halted();
    String out = decide("fork", run, "--at", "press", "--input", "\"y\"").out().strip();
    UUID fork = UUID.fromString(out.substring(out.lastIndexOf(' ') + 1));
    assertThat(out).startsWith(run + ": forked at press");
    assertThat(result(fork)).isEqualTo("y!");
    assertThat(run("show", fork.toString()).out())
        .contains("fork of      " + run, "forked at    press");
    assertThat(run("show", run.toString(), "--json").out())
        .contains("\"forks\":[\"" + fork + "\"]");
    assertThat(decide("fork", run, "--at", "nowhere").err()).contains("its nodes are press");
    assertThat(decide("fork", run, "--at", "press", "--input", "{").err())
        .contains("--input is not JSON");
    assertThat(decide("fork", run, "--at", "press", "--input", "null").exitCode()).isEqualTo(2);
    assertThat(decide("fork", run, "--at", "press", "--value", "x=1").err())
        .contains("it gets the values of $input");
  }

  @Test
  void pausesARunAndResumesIt() throws InterruptedException {
    UUID run = waiting();
    assertThat(decide("pause", run).out()).contains("paused, what runs may finish");
    assertThat(decide("pause", run, "--json").out()).contains("\"changed\":false");
    assertThat(run("show", run.toString()).out())
        .contains("status       paused", "press/0  paused");
    assertThat(decide("resume", run).out()).contains("resumed, it goes on");
    Outcome again = decide("resume", run);
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("is running: only a run that is paused can be resumed");
    broken.set(false);
    assertThat(result(run)).isEqualTo("x!");
    assertThat(decide("pause", run).err()).contains("is succeeded: only a run that is running");
  }

  @Test
  void badArgumentsAreExplained() {
    waiting();
    assertThat(run("show", "x").exitCode()).isEqualTo(2);
    assertThat(run("show", "x").err()).contains("\"x\" is no run's id");
    assertThat(run("cancel", UUID.randomUUID().toString()).exitCode()).isEqualTo(2);
    Outcome unknown = decide("cancel", UUID.randomUUID());
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err()).contains("No run");
    Outcome none = Commands.run("run");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err())
        .contains("show, cancel, revive, pause, resume, rerun, fork, signal, approve or reject");
  }

  @Test
  void showPrintsValuesCausesAndTraces() {
    UUID run = halted();
    Outcome outcome = run("show", run.toString());
    assertThat(outcome.out())
        .contains("input        \"x\"", "java.io.IOException: jammed", "at dev.standpipe.cli.run")
        .doesNotContain("no live process");
    assertThat(run("show", run.toString(), "--traces").out().lines().count())
        .isGreaterThan(outcome.out().lines().count());
    assertThat(run("show", run.toString(), "--json").out()).contains("\"trace\":", "\"waits\":[]");
  }

  @Test
  void showTellsWhatAStepWaitsFor() {
    Outcome outcome = run("show", waiting().toString());
    assertThat(outcome.out())
        .contains("waits        press/0  for a process to take it; no live process serves it");
  }

  @Test
  void aRunIsFoundByItsKey() {
    UUID run;
    try (Standpipe client = Standpipe.on(source()).start()) {
      run = client.start(pipeline, "x", RunOptions.key("order-7")).id();
    }
    assertThat(run("find", "printing", "order-7").out().strip()).isEqualTo(run.toString());
    Outcome none = run("find", "printing", "order-8");
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.err()).contains("No run of pipeline \"printing\" has the key \"order-8\"");
  }

  @Test
  void theLoggedInUserIsTheDefaultActor() {
    UUID run = waiting();
    assertThat(run("cancel", run.toString(), "--reason", "why").exitCode()).isZero();
    assertThat(run("show", run.toString()).out())
        .contains("canceled by  " + System.getProperty("user.name"));
  }
}
