package dev.standpipe.conformance.operate;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.StepFunction;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.operate.Finding;
import dev.standpipe.operate.Finding.Severity;
import dev.standpipe.schedule.Policies;
import dev.standpipe.schedule.Timing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The doctor finds what was planted, and nothing where all is well. */
public interface DoctorContract extends EnginePart {
  private static Pipeline<Integer, Integer> diamond(
      StepFunction<Integer, Integer> left, StepFunction<Integer, Integer> right) {
    return Pipeline.define(
        "diamond",
        Integer.class,
        Integer.class,
        flow -> {
          Node<Integer> a = flow.input().step("left", Integer.class, left);
          Node<Integer> b = flow.input().step("right", Integer.class, right);
          return Node.join(a, b).step("sum", Integer.class, Integer::sum);
        });
  }

  /** A run whose left side is done, whose right side hangs, and whose join waits. */
  private Standpipe halfDone(CountDownLatch end) {
    Pipeline<Integer, Integer> pipeline =
        diamond(
            n -> n,
            n -> {
              end.await();
              return n;
            });
    Standpipe standpipe = engine().serve(pipeline);
    standpipe.start(pipeline, 1);
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                engine()
                    .query("select remaining from standpipe_arrival where node = 'sum'")
                    .equals(List.of("1")));
    return standpipe;
  }

  private String longAgo() {
    return isSqlite() ? "1" : "now() - interval '25 hours'";
  }

  private String future() {
    return isSqlite() ? "unixepoch() * 1000000 + 36000000000" : "now() + interval '10 hours'";
  }

  private boolean isSqlite() {
    return engine().source().getClass().getName().contains("SQLite");
  }

  private static void assertFinds(Standpipe standpipe, String check, Severity severity) {
    assertThat(standpipe.doctor())
        .anySatisfy(
            found -> {
              assertThat(found.check()).isEqualTo(check);
              assertThat(found.severity()).isEqualTo(severity);
              assertThat(found.remedy()).isNotBlank();
            });
  }

  private void plant(String check, Severity severity, String sql) {
    CountDownLatch end = new CountDownLatch(1);
    try {
      Standpipe standpipe = halfDone(end);
      assertThat(standpipe.doctor()).extracting(Finding::check).doesNotContain(check);
      engine().execute(sql);
      assertFinds(standpipe, check, severity);
      engine().execute("delete from standpipe_task"); // or closing would try in vain to end them
    } finally {
      end.countDown();
    }
  }

  @Test
  default void theDoctorFindsAForgottenParkedTask() {
    plant(
        "left_parked",
        Severity.VIOLATION,
        "update standpipe_task set lane = (select l.id from standpipe_lane l where l.parks_for = lane)");
  }

  @Test
  default void theDoctorFindsALongPause() {
    Standpipe client = engine().client();
    Pipeline<String, String> pipeline = single("paused", (text, ctx) -> text);
    client.operator("pat").pause(client.start(pipeline, "").id(), "for ever");
    client.operator("pat").pause("paused", "for ever");
    assertThat(client.doctor()).extracting(Finding::check).doesNotContain("paused_for_long");
    engine().execute("update standpipe_audit set acted_at = " + longAgo());
    engine().execute("update standpipe_pause set paused_at = " + longAgo());
    assertThat(client.doctor())
        .filteredOn(found -> found.check().equals("paused_for_long"))
        .singleElement()
        .satisfies(found -> assertThat(found.problem()).startsWith("2 runs or pipelines"));
  }

  @Test
  default void aHealthyDatabaseHasNoFindings() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    Pipeline<String, String> later = single("later", (text, ctx) -> text);
    Standpipe standpipe = halfDone(end);
    engine().serve(later).start(later, "", RunOptions.none().delay(Duration.ofHours(1)));
    try {
      assertThat(standpipe.doctor()).isEmpty();
    } finally {
      end.countDown();
    }
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                engine()
                    .query("select status from standpipe_run where pipeline = 'diamond'")
                    .equals(List.of("succeeded")));
    assertThat(standpipe.doctor()).isEmpty();
  }

  @Test
  default void theDoctorFindsARunWithoutTasks() {
    plant("run_without_tasks", Severity.VIOLATION, "delete from standpipe_task");
  }

  @Test
  default void theDoctorFindsAContextWithoutItsStep() {
    String value = isSqlite() ? "0" : "false";
    plant(
        "context_without_step",
        Severity.VIOLATION,
        "insert into standpipe_context (run_id, key, value, replaces, node, idx, token)"
            + " select run_id, 'k', '1', "
            + value
            + ", node, idx, token from standpipe_task");
  }

  @Test
  default void theDoctorFindsAMissedDeadline() {
    Pipeline<Integer, Integer> pipeline = diamond(n -> n, n -> n);
    engine().client().start(pipeline, 1, RunOptions.none().deadline(Duration.ofHours(1)));
    assertThat(engine().client().doctor()).extracting(Finding::check).doesNotContain("overdue_run");
    engine().execute("update standpipe_deadline set due_at = " + engine().past());
    assertFinds(engine().client(), "overdue_run", Severity.WARNING);
  }

  @Test
  default void theDoctorFindsATaskOfAnEndedRun() {
    plant(
        "terminal_run_with_tasks",
        Severity.VIOLATION,
        "update standpipe_run set status = 'succeeded', finished_at = created_at");
  }

  @Test
  default void theDoctorFindsATaskWithoutARun() {
    plant("task_without_run", Severity.VIOLATION, "delete from standpipe_run");
  }

  @Test
  default void theDoctorFindsRowsWithoutARun() {
    plant(
        "row_without_run",
        Severity.VIOLATION,
        "insert into standpipe_retry_limit (run_id, node, max_retries)"
            + " values ('00000000-0000-0000-0000-000000000001', 'left', 3)");
    engine().execute("delete from standpipe_run");
    assertThat(engine().client().doctor())
        .filteredOn(found -> found.check().equals("row_without_run"))
        .singleElement()
        .satisfies(found -> assertThat(found.problem()).contains("result, arrival, retry_limit"));
  }

  @Test
  default void aScheduleThatNobodyFiresIsFound() {
    Standpipe client = engine().client();
    Pipeline<String, String> pipeline = single("unfired", (text, ctx) -> text);
    client.start(pipeline, "x");
    client
        .operator("ana")
        .schedules()
        .create("unfired", "unfired", Timing.every(Duration.ofDays(1)), "x", Policies.USUAL);
    assertThat(client.doctor()).extracting(Finding::check).doesNotContain("schedule_late");
    engine().execute("update standpipe_schedule set wake_at = " + engine().past());
    assertThat(client.doctor())
        .filteredOn(found -> found.check().equals("schedule_late"))
        .hasSize(1)
        .allMatch(found -> found.problem().contains("unfired"));
  }

  @Test
  default void theDoctorFindsATaskWithoutADefinition() {
    plant("task_without_definition", Severity.VIOLATION, "delete from standpipe_lane");
  }

  @Test
  default void theDoctorFindsATaskOfAFinishedStep() {
    plant(
        "task_with_result",
        Severity.VIOLATION,
        """
        insert into standpipe_result (run_id, node, idx, outcome, attempt, token, elapsed_us, value)
        select run_id, node, idx, 1, 1, token, 0, '1' from standpipe_task""");
  }

  @Test
  default void theDoctorFindsATaskWithAnOldToken() {
    plant(
        "token_behind",
        Severity.VIOLATION,
        """
        insert into standpipe_attempt (run_id, node, idx, token, attempt, process_id, outcome, elapsed_us)
        select run_id, node, idx, token + 1, 1, owner, 'crashed', 0 from standpipe_task""");
  }

  @Test
  default void theDoctorFindsACrashThatUsedARetry() {
    plant("crash_used_a_retry", Severity.VIOLATION, "update standpipe_task set attempt = 2");
  }

  @Test
  default void theDoctorFindsAnUnopenedFanIn() {
    plant(
        "fan_in_not_opened",
        Severity.VIOLATION,
        "update standpipe_arrival set remaining = 0 where node = 'sum'");
  }

  /** The only live task is behind the join it should lead to. */
  @Test
  default void theDoctorFindsAFanInWithoutLiveParents() {
    plant("fan_in_without_parents", Severity.VIOLATION, "update standpipe_task set node = 'sum'");
  }

  @Test
  default void theDoctorFindsAnUnreapedLease() {
    Pipeline<String, String> pipeline = single("reaped", (text, ctx) -> text);
    Standpipe client = engine().client();
    client.start(pipeline, "");
    assertThat(client.doctor()).extracting(Finding::check).containsExactly("unserved_work");
    engine()
        .execute(
            "insert into standpipe_process (id, name, host, pid, lease_expires_at) values"
                + " ('00000000-0000-0000-0000-000000000001', 'dead', 'nowhere', 1, "
                + engine().past()
                + ")");
    assertFinds(client, "expired_lease", Severity.WARNING);
    engine()
        .execute(
            "update standpipe_task set state = 1, owner = '00000000-0000-0000-0000-000000000002'");
    assertFinds(client, "orphaned_lease", Severity.WARNING);
  }

  @Test
  default void theDoctorFindsAnOverdueDelay() {
    Pipeline<String, String> pipeline = single("overdue", (text, ctx) -> text);
    Standpipe client = engine().client();
    client.start(pipeline, "", RunOptions.none().delay(Duration.ofHours(1)));
    assertThat(client.doctor()).extracting(Finding::check).doesNotContain("overdue_task");
    engine().execute("update standpipe_task set due_at = " + engine().past());
    assertFinds(client, "overdue_task", Severity.WARNING);
  }

  @Test
  default void theDoctorFindsAnUnheardSignal() {
    Pipeline<String, String> pipeline = single("deaf", (text, ctx) -> text);
    Standpipe client = engine().client();
    client.start(pipeline, "", RunOptions.none().delay(Duration.ofHours(1)));
    engine()
        .execute(
            "insert into standpipe_signal (run_id, node, idx, dedupe, value, signaled_at)"
                + " select run_id, node, idx, 'x', '1', due_at from standpipe_task");
    assertFinds(client, "signal_not_heard", Severity.VIOLATION);
  }

  @Test
  default void theDoctorFindsAnEndWithoutItsFollowUp() {
    Standpipe client = engine().client();
    engine()
        .execute(
            "insert into standpipe_ended (run_id, ended_at) values ('00000000-0000-0000-0000-000000000001', "
                + engine().past()
                + ")");
    assertFinds(client, "end_not_followed", Severity.WARNING);
  }

  @Test
  default void theDoctorFindsATaskThatKeepsCrashing() {
    plant("suspect", Severity.WARNING, "update standpipe_task set crashes = 2");
  }

  @Test
  default void theDoctorFindsProcessesWithDifferentDefinitions() {
    Pipeline<Integer, Integer> one = diamond(n -> n, n -> n);
    Pipeline<Integer, Integer> other =
        Pipeline.define(
            "diamond",
            Integer.class,
            Integer.class,
            flow ->
                flow.input().step("only", Integer.class, (StepFunction<Integer, Integer>) n -> n));
    Standpipe standpipe = engine().serve(one);
    assertThat(standpipe.doctor()).isEmpty();
    engine().serve(other);
    assertFinds(standpipe, "different_definitions", Severity.WARNING);
  }

  @Test
  default void theDoctorFindsRowsFromTheFuture() {
    plant(
        "clock_jump", Severity.WARNING, "update standpipe_definition set served_at = " + future());
  }

  @Test
  default void theDoctorFindsAMissingIndex() {
    plant("missing_index", Severity.WARNING, "drop index standpipe_task_due");
  }

  @Test
  default void theDoctorFindsTablesOfANewerVersion() {
    Standpipe client = engine().client();
    assertThat(client.doctor()).isEmpty();
    engine().execute("insert into standpipe_schema (version) values (999)");
    assertFinds(client, "schema_version", Severity.VIOLATION);
    engine().execute("drop table standpipe_schema");
    assertFinds(client, "schema_version", Severity.VIOLATION);
  }

  @Test
  default void theDoctorLeavesTheConnectionUnchanged() throws InterruptedException {
    Pipeline<String, String> pipeline = single("after", (text, ctx) -> text);
    Standpipe standpipe = engine().serve(pipeline);
    standpipe.doctor();
    assertThat(standpipe.start(pipeline, "written").await(PATIENCE)).isEqualTo("written");
  }
}
