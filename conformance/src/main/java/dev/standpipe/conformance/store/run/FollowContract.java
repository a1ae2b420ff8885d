package dev.standpipe.conformance.store.run;

import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.definition.EndCallback;
import dev.standpipe.info.RunLinks.EndCallbackRun;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Quarantines.Resume;
import dev.standpipe.internal.port.Quarantines.ResumedStep;
import dev.standpipe.internal.port.Quarantines.Revival;
import dev.standpipe.internal.port.RunEnds;
import dev.standpipe.internal.port.RunEnds.Dispatch;
import dev.standpipe.internal.port.RunEnds.RunToStart;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Runs.Followed;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What follows the end of a run. */
public interface FollowContract extends StorePart {
  Audited BY_ANN = new Audited("ann", "because");
  int ENDS = 200;
  List<Entry> ENTRIES = List.of(StoreFixture.ENTRY);

  private RunEnds follows() {
    return db().store().runEnds();
  }

  private static NewRun followed() {
    return new NewRun(UUID.randomUUID(), null, null, 0, "{}", "{}", 0, null, null, Followed.YES);
  }

  private Claimed startFollowed(UUID process) {
    db().start(List.of(followed()));
    return db().claim(process);
  }

  private Dispatch dispatch() {
    return new Dispatch(
        "on_complete", new RunToStart(db().definition(), StoreFixture.newRun(), ENTRIES));
  }

  @Test
  default void aFollowedRunIsMarkedWhenItEnds() {
    UUID process = db().join();
    Claimed direct = startFollowed(process);
    Claimed counted = startFollowed(process);
    Claimed other = db().startAndClaim(process);
    Reply ended =
        db().settle(
                process,
                Success.of(direct).endsRun().settlement(),
                Success.of(other).endsRun().settlement());
    assertThat(ended.followed()).isTrue();
    assertThat(ended.stopped()).isEmpty();
    assertThat(follows().ended(10)).containsExactly(direct.run());
    Bump last = new Bump(Bump.END, 1, -1, 0, false);
    assertThat(db().settle(process, Success.of(counted).bumps(last).settlement()).followed())
        .isTrue();
    assertThat(follows().ended(10)).containsExactlyInAnyOrder(direct.run(), counted.run());
    Claimed plain = db().startAndClaim(process);
    assertThat(db().settle(process, Success.of(plain).endsRun().settlement()).followed()).isFalse();
    assertThat(follows().ended(10)).hasSize(2);
  }

  @Test
  default void haltedAndCanceledRunsAreMarked() {
    UUID process = db().join();
    Claimed halted = startFollowed(process);
    db().settle(process, failed(halted));
    assertThat(follows().ended(10)).isEmpty();
    assertThat(db().store().runs().finishStopping(halted.run())).isTrue();
    Claimed canceled = startFollowed(process);
    db().store().runs().cancel(canceled.run(), 0, BY_ANN);
    assertThat(db().store().runs().finishStopping(canceled.run())).isTrue();
    assertThat(follows().ended(10)).containsExactlyInAnyOrder(halted.run(), canceled.run());
    assertThat(follows().ended(1)).hasSize(1);
  }

  @Test
  default void theEndIsFollowedUpOnce() {
    UUID process = db().join();
    Claimed task = startFollowed(process);
    assertThat(follows().follow(task.run(), task.run(), info -> List.of(dispatch()))).isEmpty();
    db().settle(process, Success.of(task).endsRun().settlement());
    assertThat(follows().follow(task.run(), task.run(), info -> List.of(dispatch())))
        .hasValueSatisfying(
            done -> {
              assertThat(done.run().id()).isEqualTo(task.run());
              assertThat(done.run().status()).isEqualTo(RunStatus.SUCCEEDED);
              assertThat(done.ready()).isTrue();
            });
    Claimed callback = db().claim(process);
    assertThat(
            db().query(
                    "select run_id, original_run_id, kind, end_number from standpipe.dispatched"))
        .containsExactly(callback.run() + "|" + task.run() + "|on_complete|0");
    var before = db().dump();
    assertThat(follows().follow(task.run(), task.run(), info -> List.of(dispatch()))).isEmpty();
    assertThat(db().dump()).isEqualTo(before);
  }

  @Test
  default void aFollowUpIsAtomic() {
    UUID process = db().join();
    Claimed task = startFollowed(process);
    db().settle(process, Success.of(task).endsRun().settlement());
    var before = db().dump();
    assertThatThrownBy(
            () -> follows().follow(task.run(), task.run(), info -> List.of(dispatch(), dispatch())))
        .as("two for one end")
        .isInstanceOf(RuntimeException.class);
    assertThat(db().dump()).isEqualTo(before);
  }

  @Test
  default void aRevivedRunLosesItsEndMark() {
    UUID process = db().join();
    Claimed task = startFollowed(process);
    db().settle(process, failed(task));
    db().store().runs().finishStopping(task.run());
    assertThat(revive(task.run())).isTrue();
    assertThat(follows().ended(10)).isEmpty();
    Claimed again = db().claim(process);
    db().settle(process, Success.of(again).endsRun().settlement());
    assertThat(follows().follow(task.run(), task.run(), info -> List.of(dispatch()))).isPresent();
    assertThat(db().query("select end_number from standpipe.dispatched")).containsExactly("1");
  }

  @Test
  default void racingProcessesFollowUpAnEndOnce() {
    UUID process = db().join();
    db().start(IntStream.range(0, ENDS).mapToObj(i -> followed()).toList());
    List<Claimed> tasks = db().claim(process, ENDS);
    tasks.forEach(task -> db().settle(process, Success.of(task).endsRun().settlement()));
    List<Store> stores = List.of(db().another(), db().another(), db().another());
    List<Integer> done =
        Racers.race(
            stores.size(),
            number -> {
              RunEnds follows = stores.get(number).runEnds();
              int mine = 0;
              for (UUID run : new ArrayList<>(tasks.stream().map(Claimed::run).toList())) {
                mine += follows.follow(run, run, info -> List.of(dispatch())).isPresent() ? 1 : 0;
              }
              return mine;
            });
    assertThat(done.stream().mapToInt(Integer::intValue).sum()).isEqualTo(ENDS);
    assertThat(follows().ended(10)).isEmpty();
    assertThat(
            db().query(
                    "select count(*), count(distinct original_run_id) from standpipe.dispatched"))
        .containsExactly(ENDS + "|" + ENDS);
  }

  @Test
  default void aCompensatingRunCompletesTheRunItUndoes() {
    UUID process = db().join();
    NewRun run =
        new NewRun(
            UUID.randomUUID(), null, null, 0, "{}", "{}", 0, null, null, Followed.COMPENSATED);
    db().start(List.of(run));
    Claimed task = db().claim(process);
    db().settle(process, failed(task));
    db().store().runs().finishStopping(run.id());
    assertThat(status(run.id())).isEqualTo(RunStatus.COMPENSATING);
    assertThat(db().store().runQueries().ended(List.of(run.id()))).isEmpty();
    UUID undoing = undo(run.id());
    assertThat(db().store().runQueries().find(undoing).orElseThrow().links().endCallbackOf())
        .contains(new EndCallbackRun(EndCallback.COMPENSATE, run.id()));
    assertThat(status(run.id())).isEqualTo(RunStatus.COMPENSATING);
    assertThat(revive(run.id())).isFalse();
    db().settle(process, Success.of(db().claim(process)).endsRun().settlement());
    assertThat(follows().follow(undoing, run.id(), info -> List.of(dispatch())))
        .hasValueSatisfying(
            done -> assertThat(done.run().status()).isEqualTo(RunStatus.COMPENSATED));
    assertThat(status(run.id())).isEqualTo(RunStatus.COMPENSATED);
    assertThat(db().store().runQueries().ended(List.of(run.id()))).containsExactly(run.id());
    assertThat(revive(run.id())).isFalse();
    assertThat(db().query("select original_run_id, kind from standpipe.dispatched order by kind"))
        .containsExactly(run.id() + "|compensate", run.id() + "|on_complete");
  }

  private RunStatus status(UUID run) {
    return db().store().runQueries().find(run).orElseThrow().status();
  }

  private UUID undo(UUID run) {
    RunToStart start = new RunToStart(db().definition(), followed(), ENTRIES);
    assertThat(follows().follow(run, run, info -> List.of(new Dispatch("compensate", start))))
        .isPresent();
    return start.run().id();
  }

  private boolean revive(UUID run) {
    Resume resume = new Resume(run, List.of(new ResumedStep("a", 1, 0)), List.of());
    return db().store().quarantines().revive(resume, new Revival(0, OptionalInt.empty(), BY_ANN));
  }
}
