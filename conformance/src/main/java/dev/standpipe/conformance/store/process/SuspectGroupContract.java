package dev.standpipe.conformance.store.process;

import static dev.standpipe.conformance.fixture.StoreFixture.released;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.internal.port.Processes.Crashed;
import dev.standpipe.internal.port.Processes.Reaped;
import dev.standpipe.internal.port.Tasks.Claimed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Suspects that a process takes together, and what its death does to them. */
public interface SuspectGroupContract extends StorePart {
  int FEWEST_CRASHES = 3;

  /** Starts runs, and has two processes die with all of them. */
  private List<UUID> suspects(int count) {
    List<UUID> runs = db().start(count);
    for (int i = 0; i < 2; i++) {
      UUID process = db().join(ProcessContract.GONE);
      assertThat(db().claimAll(process, count)).hasSize(count);
      assertThat(db().reap()).isPresent();
    }
    return runs;
  }

  private List<Claimed> claim(UUID process, int held, int most) {
    return db().store().tasks().claimSuspects(process, List.of(db().lane()), held, most);
  }

  /** Of how many each was claimed as one, and its crashes, by the number of such tasks. */
  private List<String> groups() {
    return db().query(
            "select count(*), max_suspects, crashes from standpipe.task group by max_suspects, crashes order by coalesce(max_suspects, 1000)");
  }

  @Test
  default void aProcessFillsItsRoomWithSuspects() {
    suspects(10);
    assertThat(db().claimSuspects(db().join(), 6)).hasSize(6);
    assertThat(db().claimSuspects(db().join(), 6)).hasSize(4);
    assertThat(groups()).containsExactly("4|4|2", "6|6|2");
  }

  @Test
  default void aCrashHalvesTheGroupAndChargesNoSuspect() {
    suspects(7);
    for (int most : List.of(7, 3)) {
      UUID process = db().join(ProcessContract.GONE, FEWEST_CRASHES);
      assertThat(db().claimSuspects(process, 100)).hasSize(most);
      Reaped reaped = db().reap().orElseThrow();
      assertThat(reaped.tasks()).isEqualTo(most);
      assertThat(reaped.quarantined()).isEmpty();
    }
    assertThat(groups()).containsExactly("3|1|2", "4|3|2");
    assertThat(db().store().tasks().nextDue()).as("they wait for nothing").isEmpty();
    assertThat(db().query("select count(*) from standpipe.attempt where outcome = 'crashed'"))
        .containsExactly(Integer.toString(7 + 7 + 7 + 3));
  }

  @Test
  default void aCrashChargesALoneSuspect() {
    suspects(1);
    UUID process = db().join(ProcessContract.GONE);
    assertThat(db().claimSuspects(process, 100)).hasSize(1);
    assertThat(db().reap()).isPresent();
    assertThat(groups()).containsExactly("1|1|3");
  }

  @Test
  default void aCrashSparesASuspectClaimedInAGroup() {
    suspects(2);
    UUID process = db().join(ProcessContract.GONE, FEWEST_CRASHES);
    List<Claimed> both = db().claimSuspects(process, 100);
    db().settle(process, Success.of(both.get(0)).endsRun().settlement());
    assertThat(db().reap().orElseThrow().quarantined()).isEmpty();
    assertThat(groups()).containsExactly("1|1|2");
  }

  @Test
  default void suspectsAlreadyHeldCountTowardsTheGroup() {
    suspects(9);
    UUID process = db().join();
    assertThat(claim(process, 0, 4)).hasSize(4);
    assertThat(claim(process, 3, 1)).as("in the place of one that was settled").hasSize(1);
    assertThat(groups()).containsExactly("5|4|2", "4|null|2");
  }

  @Test
  default void suspectsKeepTheirGroupLimit() {
    suspects(6);
    db().execute("update standpipe.task set max_suspects = 2");
    UUID process = db().join();
    assertThat(claim(process, 2, 9)).isEmpty();
    assertThat(claim(process, 1, 9)).hasSize(1);
    assertThat(claim(db().join(), 0, 9)).hasSize(2);
  }

  @Test
  default void largeGroupsAreClaimedBeforeLoneSuspects() {
    List<UUID> runs = suspects(4);
    alone(runs.get(0), 3);
    alone(runs.get(1), 2);
    assertThat(db().claimSuspects(db().join(), 9))
        .extracting(Claimed::run)
        .containsExactlyInAnyOrder(runs.get(2), runs.get(3));
    assertThat(db().claimSuspects(db().join(), 9))
        .extracting(Claimed::run)
        .containsExactly(runs.get(1));
    assertThat(db().claimSuspects(db().join(), 9))
        .extracting(Claimed::run)
        .containsExactly(runs.get(0));
  }

  private void alone(UUID run, int crashes) {
    db().execute(
            "update standpipe.task set max_suspects = 1, crashes = %d where run_id = '%s'"
                .formatted(crashes, run));
  }

  @Test
  default void aReleasedSuspectKeepsItsGroupLimit() {
    suspects(4);
    UUID process = db().join();
    db().claimSuspects(process, 9).forEach(task -> db().settle(process, released(task)));
    assertThat(groups()).containsExactly("4|4|2");
    db().claimSuspects(process, 9);
    db().store().processes().leave(process);
    assertThat(groups()).containsExactly("4|4|2");
  }

  @Test
  default void progressClearsASuspect() {
    suspects(2);
    UUID process = db().join();
    db().claimSuspects(process, 9)
        .forEach(task -> db().settle(process, Success.of(task).next("b", false).settlement()));
    for (int i = 0; i < 2; i++) {
      UUID dies = db().join(ProcessContract.GONE);
      assertThat(db().claim(dies, 9)).hasSize(2);
      assertThat(db().reap()).isPresent();
    }
    assertThat(groups()).containsExactly("2|null|2");
  }

  @Test
  default void halvingGroupsQuarantinesOnlyThePoison() {
    List<UUID> runs = suspects(300);
    UUID poison = runs.get(123);
    List<Crashed> quarantined = new ArrayList<>();
    int deaths = 0;
    while (!db().query("select 1 from standpipe.task where state <> 4").isEmpty()) {
      db().execute("update standpipe.task set state = 3, due_at = null where state = 2");
      UUID process = db().join(Duration.ofMinutes(1), FEWEST_CRASHES);
      List<Claimed> group = db().claimSuspects(process, 100);
      if (group.stream().anyMatch(task -> task.run().equals(poison))) {
        deaths++;
        quarantined.addAll(db().store().processes().reapNow(process).orElseThrow().quarantined());
      } else {
        group.forEach(task -> db().settle(process, Success.of(task).endsRun().settlement()));
        db().store().processes().leave(process);
      }
    }
    assertThat(quarantined).extracting(Crashed::run).containsExactly(poison);
    assertThat(quarantined).extracting(Crashed::crashes).containsExactly(FEWEST_CRASHES);
    assertThat(deaths).as("100, 50, 25, 12, 6, 3 and 1").isLessThanOrEqualTo(7);
  }

  @Test
  default void aReapedProcessClaimsNoSuspects() {
    suspects(3);
    UUID alive = db().join();
    UUID reaped = db().join();
    db().store().processes().reapNow(reaped);
    assertThat(db().claimSuspects(reaped, 10)).isEmpty();
    assertThat(db().claimSuspects(alive, 10)).hasSize(3);
  }
}
