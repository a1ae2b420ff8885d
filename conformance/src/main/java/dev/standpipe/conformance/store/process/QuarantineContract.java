package dev.standpipe.conformance.store.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.error.NotQuarantinedException;
import dev.standpipe.error.RunHaltingException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepId;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.port.Quarantines;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Quarantines.FinishedStep;
import dev.standpipe.internal.port.Quarantines.OpenCounter;
import dev.standpipe.internal.port.Quarantines.Release;
import dev.standpipe.internal.port.Quarantines.Resume;
import dev.standpipe.internal.port.Quarantines.ResumedStep;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.operate.QuarantinedStep;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Steps in quarantine, and what an operator does with them. */
public interface QuarantineContract extends StorePart {
  Audited AUDITED = new Audited("ann", "the driver is fixed");
  Release FIRST = new Release(0, AUDITED);

  private Quarantines quarantines() {
    return db().store().quarantines();
  }

  /** Starts a run and has its step kill three processes; returns those, the last first. */
  private List<UUID> quarantine() {
    db().start();
    List<UUID> dead = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      UUID process = db().join(ProcessContract.GONE, 3);
      if (i < 2) {
        db().claim(process);
      } else {
        db().execute("update standpipe.task set state = 3, due_at = null where state = 2");
        assertThat(db().claimSuspect(process)).isPresent();
      }
      assertThat(db().reap()).isPresent();
      dead.add(process);
    }
    Collections.reverse(dead);
    return dead;
  }

  private QuarantinedStep quarantined() {
    quarantine();
    QuarantinedStep step = quarantines().list(10).get(0);
    db().store().runs().finishStopping(step.step().run());
    return step;
  }

  private static Resume startAgain(UUID run) {
    return new Resume(run, List.of(new ResumedStep("a", 1, 0)), List.of());
  }

  @Test
  default void quarantineListsTheProcessesAStepKilled() {
    assertThat(quarantines().list(10)).isEmpty();
    List<UUID> dead = quarantine();
    QuarantinedStep step = quarantines().list(10).get(0);
    assertThat(step.step().node()).isEqualTo("a");
    assertThat(step.step().index()).isZero();
    assertThat(step.pipeline()).isEqualTo(StoreFixture.PIPELINE);
    assertThat(step.crashes()).isEqualTo(3);
    assertThat(step.attempt()).isEqualTo(1);
    assertThat(step.processes()).isEqualTo(dead);
    RunInfo run = db().store().runQueries().find(step.step().run()).orElseThrow();
    assertThat(step.quarantinedAt()).isAfterOrEqualTo(run.createdAt());
    assertThat(quarantines().find(step.step())).contains(step);
    assertThat(quarantines().find(new StepId(step.step().run(), "a", 1))).isEmpty();
    assertThat(quarantines().find(new StepId(step.step().run(), "b", 0))).isEmpty();
  }

  @Test
  default void quarantineListsTheOldestStepsFirst() {
    for (int i = 0; i < 3; i++) {
      quarantine();
    }
    List<QuarantinedStep> all = quarantines().list(10);
    assertThat(all)
        .hasSize(3)
        .isSortedAccordingTo(Comparator.comparing(QuarantinedStep::quarantinedAt));
    assertThat(quarantines().list(2)).isEqualTo(all.subList(0, 2));
  }

  @Test
  default void aReleasedStepGetsAFreshBudgetAndToken() {
    QuarantinedStep step = quarantined();
    UUID run = step.step().run();
    quarantines().release(step, startAgain(run), FIRST);
    RunInfo info = db().store().runQueries().find(run).orElseThrow();
    assertThat(info.status()).isEqualTo(RunStatus.RUNNING);
    assertThat(info.haltReason()).isEmpty();
    assertThat(info.finishedAt()).isEmpty();
    assertThat(quarantines().list(10)).isEmpty();
    UUID process = db().join();
    Claimed task = db().claim(process);
    assertThat(task.crashes()).isZero();
    assertThat(task.attempt()).isEqualTo(1);
    assertThat(task.token()).isGreaterThan(step.token());
    assertThat(db().query("select actor, action, node, idx, reason from standpipe.audit"))
        .containsExactly("ann|release|a|0|the driver is fixed");
    db().settle(process, Success.of(task).endsRun().settlement());
    assertThat(db().store().runQueries().ended(List.of(run))).containsExactly(run);
  }

  @Test
  default void aReleaseForgetsFailuresAndResetsCounters() {
    QuarantinedStep step = quarantined();
    UUID run = step.step().run();
    db().execute(
            "insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us) values ('%s', 'x', 0, 2, 1, 50, 0)"
                .formatted(run));
    db().execute(
            "insert into standpipe.arrival (run_id, node, need, remaining) values ('%s', 'y', 9, 9)"
                .formatted(run));
    Resume resume =
        new Resume(
            run,
            List.of(
                new ResumedStep("a", 1, 0),
                new ResumedStep("x", 2, 0),
                new ResumedStep("each", 7, 3)),
            List.of(new OpenCounter("y", 3, 1), new OpenCounter("$end", 2, 2)));
    quarantines().release(step, resume, FIRST);
    assertThat(db().store().runQueries().steps(run))
        .extracting(StepInfo::node, StepInfo::index, StepInfo::state)
        .containsExactly(
            tuple("a", 0, StepState.READY),
            tuple("each", 3, StepState.READY),
            tuple("x", 0, StepState.READY));
    assertThat(db().query("select node, need, remaining from standpipe.arrival order by node"))
        .containsExactly("$end|2|2", "y|3|1");
  }

  @Test
  default void aStepIsReleasedOnce() {
    QuarantinedStep step = quarantined();
    Resume resume = startAgain(step.step().run());
    quarantines().release(step, resume, FIRST);
    var before = db().dump();
    assertThatThrownBy(() -> quarantines().release(step, resume, FIRST))
        .isInstanceOf(NotQuarantinedException.class)
        .hasMessageContaining(step.step().toString());
    assertThatThrownBy(() -> quarantines().discard(step, AUDITED))
        .isInstanceOf(NotQuarantinedException.class);
    assertThat(db().dump()).isEqualTo(before);
  }

  @Test
  default void racingOperatorsReleaseAStepOnce() {
    QuarantinedStep step = quarantined();
    Resume resume = startAgain(step.step().run());
    List<Boolean> released =
        Racers.race(
            4,
            number -> {
              try {
                db().another().quarantines().release(step, resume, FIRST);
                return true;
              } catch (NotQuarantinedException e) {
                return false;
              }
            });
    assertThat(released).containsExactlyInAnyOrder(true, false, false, false);
    assertThat(db().query("select count(*) from standpipe.task")).containsExactly("1");
    assertThat(db().query("select count(*) from standpipe.audit")).containsExactly("1");
  }

  @Test
  default void aHaltingRunCannotBeReleased() {
    quarantine();
    QuarantinedStep step = quarantines().list(10).get(0);
    var before = db().dump();
    assertThatThrownBy(() -> quarantines().release(step, startAgain(step.step().run()), FIRST))
        .isInstanceOf(RunHaltingException.class);
    assertThat(db().dump()).isEqualTo(before);
  }

  @Test
  default void aDiscardedStepFailsAndItsRunStaysHalted() {
    QuarantinedStep step = quarantined();
    UUID run = step.step().run();
    quarantines().discard(step, AUDITED);
    assertThat(quarantines().list(10)).isEmpty();
    assertThat(db().store().runQueries().find(run).orElseThrow().status())
        .isEqualTo(RunStatus.HALTED);
    assertThat(db().store().runQueries().steps(run))
        .containsExactly(new StepInfo("a", 0, StepState.FAILED, 1, 0, step.token()));
    assertThat(db().query("select actor, action, node, idx, reason from standpipe.audit"))
        .containsExactly("ann|discard|a|0|the driver is fixed");
  }

  @Test
  default void finishedStepsTellTheirElementCount() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, Success.expand(task, 3).settlement());
    assertThat(quarantines().finished(task.run()))
        .containsExactly(new FinishedStep("a", 0, 3, false, "3"));
  }
}
