package dev.standpipe.conformance.store.process;

import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static dev.standpipe.conformance.fixture.StoreFixture.newRun;
import static dev.standpipe.conformance.fixture.StoreFixture.retried;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.internal.port.PendingWork.Seen;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.RunQueries.Answer;
import dev.standpipe.internal.port.RunQueries.Awaited;
import dev.standpipe.internal.port.Runs.Followed;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Tasks.Claimed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The one look that tells every part of a process whether there is something to do. */
public interface NeedsContract extends StorePart {
  Seen NOTHING =
      new Seen(
          false,
          false,
          false,
          false,
          false,
          false,
          false,
          0,
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  /** What is seen after something was written. */
  private Seen seen() {
    return db().store().pendingWork().look(List.of(db().lane())).orElseThrow();
  }

  @Test
  default void anIdleDatabaseShowsNoPendingWork() {
    assertThat(seen()).isEqualTo(NOTHING);
  }

  @Test
  default void pendingWorkChangesOnlyWithWrites() {
    db().start();
    Seen first = seen();
    assertThat(db().store().pendingWork().look(List.of(db().lane())).orElse(first))
        .isEqualTo(first);
    db().another().pauses().pause(StoreFixture.PIPELINE, db().lane(), new Audited("ann", "why"));
    assertThat(seen().paused()).as("written by another connection").isTrue();
    db().store().pauses().resume(StoreFixture.PIPELINE, db().lane(), new Audited("ann", "why"));
    assertThat(seen().paused()).as("written by this connection").isFalse();
    assertThat(db().store().pendingWork().look(List.of()).orElseThrow().ready()).isFalse();
  }

  @Test
  default void pendingWorkShowsReadyAndLeasedTasks() {
    db().start();
    assertThat(seen().ready()).isTrue();
    assertThat(seen(List.of(db().lane() + 1)).ready()).as("in another lane").isFalse();
    assertThat(seen().busy()).isTrue();
    UUID process = db().join();
    Claimed task = db().claim(process);
    Seen held = seen();
    assertThat(held.ready()).isFalse();
    assertThat(held.busy()).isTrue();
    assertThat(held.processes()).isOne();
    db().settle(process, Success.of(task).endsRun().settlement());
    assertThat(seen().busy()).isFalse();
  }

  private Seen seen(List<Integer> lanes) {
    return db().store().pendingWork().look(lanes).orElseThrow();
  }

  @Test
  default void pendingWorkShowsTheNextScheduledTask() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, retried(task, Duration.ofHours(1)));
    Seen seen = seen();
    assertThat(seen.busy()).isFalse();
    assertThat(seen.nextTask().orElseThrow())
        .isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
    db().start(List.of(newRun(null, 0, 1, null)));
    assertThat(seen().nextTask().orElseThrow()).isLessThan(Duration.ofMinutes(50));
  }

  @Test
  default void pendingWorkShowsTheNextDeadline() {
    long hour = Duration.ofHours(1).toNanos() / 1000;
    db().start(
            List.of(
                new NewRun(
                    UUID.randomUUID(), null, null, 0, "{}", "{}", 0, null, hour, Followed.NOT)));
    assertThat(seen().nextDeadline().orElseThrow())
        .isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
  }

  @Test
  default void pendingWorkShowsExpiredProcesses() {
    UUID dead = db().join(ProcessContract.GONE);
    db().startAndClaim(dead);
    Seen seen = seen();
    assertThat(seen.expired()).isTrue();
    assertThat(seen.processes()).isZero();
    db().reap();
    assertThat(seen().expired()).isFalse();
    UUID next = db().join(ProcessContract.GONE);
    db().claim(next);
    db().reap();
    assertThat(seen().suspects()).isTrue();
    assertThat(seen(List.of()).ready()).isFalse();
  }

  @Test
  default void pendingWorkShowsStoppedAndEndedRuns() {
    UUID process = db().join();
    db().start(
            List.of(
                new NewRun(
                    UUID.randomUUID(), null, null, 0, "{}", "{}", 0, null, null, Followed.YES)));
    Claimed task = db().claim(process);
    db().settle(process, failed(task));
    assertThat(seen().stopped()).isTrue();
    db().store().runs().finishStopping(task.run());
    Seen ended = seen();
    assertThat(ended.stopped()).isFalse();
    assertThat(ended.ended()).isTrue();
    Claimed other = db().startAndClaim(process);
    db().store().runs().cancel(other.run(), 1_000_000, new Audited("ann", "why"));
    assertThat(seen().stopped()).isTrue();
  }

  @Test
  default void endedRunsAreFoundWithTheirOutputs() {
    UUID process = db().join();
    Claimed done = db().startAndClaim(process);
    db().settle(process, Success.of(done).endsRun().settlement());
    Claimed halted = db().startAndClaim(process);
    db().settle(process, failed(halted));
    db().store().runs().finishStopping(halted.run());
    UUID running = db().start();
    String output = db().store().runQueries().output(done.run(), "a").orElseThrow();
    List<Awaited> all =
        List.of(
            new Awaited(done.run(), "a"),
            new Awaited(halted.run(), "a"),
            new Awaited(running, "a"),
            new Awaited(UUID.randomUUID(), "a"));
    assertThat(db().store().runQueries().ends(all, 1_000))
        .containsExactlyInAnyOrder(
            new Answer(done.run(), Optional.of(output)),
            new Answer(halted.run(), Optional.empty()));
    assertThat(db().store().runQueries().ends(all.subList(0, 1), output.length() - 1))
        .containsExactly(new Answer(done.run(), Optional.empty()));
    assertThat(db().store().runQueries().ends(List.of(new Awaited(done.run(), "b")), 1_000))
        .containsExactly(new Answer(done.run(), Optional.empty()));
  }
}
