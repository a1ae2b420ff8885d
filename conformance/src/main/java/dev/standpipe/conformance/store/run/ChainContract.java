package dev.standpipe.conformance.store.run;

import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.RunEnds;
import dev.standpipe.internal.port.RunEnds.Chained;
import dev.standpipe.internal.port.RunEnds.FollowUp;
import dev.standpipe.internal.port.RunEnds.RunToStart;
import dev.standpipe.internal.port.RunEnds.Upstreams;
import dev.standpipe.internal.port.Runs.Followed;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.Tasks.Claimed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Runs that wait for others. */
public interface ChainContract extends StorePart {
  int TRIALS = 1_000;
  Audited ANN = new Audited("ann", "because");

  private RunInfo info(UUID run) {
    return db().store().runQueries().find(run).orElseThrow();
  }

  /** One with an input of its own, or on the result of the first. */
  private RunToStart downstream(boolean own) {
    @Nullable String input = own ? "\"own\"" : null;
    NewRun run =
        new NewRun(
            UUID.randomUUID(),
            null,
            null,
            0,
            "{}",
            input,
            RunEnds.OUT_OF_REACH,
            null,
            Followed.NOT);
    return new RunToStart(db().definition(), run, List.of(StoreFixture.ENTRY));
  }

  private static Optional<Chained> chain(Store store, RunToStart start, UUID... upstreams) {
    String otherwise = start.run().input() == null ? "null" : null;
    return store.runEnds().chain(start, new Upstreams(List.of(upstreams), 0, otherwise));
  }

  private UUID chain(boolean own, UUID... upstreams) {
    RunToStart start = downstream(own);
    assertThat(chain(db().store(), start, upstreams)).isPresent();
    return start.run().id();
  }

  private void succeed(UUID process, Claimed task) {
    db().settle(process, Success.of(task).endsRun().settlement());
  }

  private void halt(UUID process, Claimed task) {
    db().settle(process, failed(task));
    assertThat(db().store().runs().finishStopping(task.run())).isTrue();
  }

  private FollowUp follow(UUID run) {
    return db().store().runEnds().follow(run, run, info -> List.of()).orElseThrow();
  }

  @Test
  default void aChainedRunStartsWithTheUpstreamResult() {
    UUID process = db().join();
    Claimed first = db().startAndClaim(process);
    UUID next = chain(false, first.run());
    assertThat(info(next).status()).isEqualTo(RunStatus.WAITING);
    assertThat(info(next).links().upstreams()).containsExactly(first.run());
    assertThat(info(first.run()).links().downstreams()).containsExactly(next);
    assertThat(db().claim(process, 10)).isEmpty();
    assertThat(db().store().tasks().promote(10)).isZero();
    succeed(process, first);
    FollowUp done = follow(first.run());
    assertThat(done.ready()).isTrue();
    assertThat(done.skipped()).isEmpty();
    assertThat(db().claim(process).run()).isEqualTo(next);
    assertThat(info(next).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(db().store().runQueries().value(next, "$input", 0))
        .contains(Success.valueOf("a", 0));
    assertThat(db().query("select * from standpipe.chained")).isEmpty();
  }

  @Test
  default void aHaltedRunSkipsItsDownstreamRuns() {
    UUID process = db().join();
    Claimed first = db().startAndClaim(process);
    UUID second = chain(false, first.run());
    UUID third = chain(true, second);
    halt(process, first);
    assertThat(follow(first.run()).skipped()).containsExactly(second);
    assertThat(info(second).status()).isEqualTo(RunStatus.SKIPPED);
    assertThat(info(second).finishedAt()).isPresent();
    assertThat(db().store().runQueries().ended(List.of(second))).containsExactly(second);
    assertThat(info(third).status()).isEqualTo(RunStatus.WAITING);
    assertThat(db().store().runEnds().ended(10)).containsExactly(second);
    assertThat(follow(second).skipped()).containsExactly(third);
    assertThat(info(third).status()).isEqualTo(RunStatus.SKIPPED);
    assertThat(db().store().runEnds().ended(10)).isEmpty();
    assertThat(db().query("select * from standpipe.task")).isEmpty();
  }

  @Test
  default void aHaltedRunSkipsAPausedDownstream() {
    UUID process = db().join();
    Claimed first = db().startAndClaim(process);
    UUID second = chain(false, first.run());
    assertThat(db().store().pauses().pause(second, new Audited("pat", "look at it"))).isTrue();
    halt(process, first);
    assertThat(follow(first.run()).skipped()).containsExactly(second);
    assertThat(info(second).status()).isEqualTo(RunStatus.SKIPPED);
  }

  @Test
  default void aPausedRunWaitsAgainWhenResumed() {
    UUID process = db().join();
    Claimed first = db().startAndClaim(process);
    UUID next = chain(true, first.run());
    assertThat(db().store().pauses().pause(next, ANN)).isTrue();
    assertThat(info(next).status()).isEqualTo(RunStatus.PAUSED);
    assertThat(db().store().pauses().resume(next, ANN)).isTrue();
    assertThat(info(next).status()).isEqualTo(RunStatus.WAITING);
    succeed(process, first);
    assertThat(follow(first.run()).ready()).isTrue();
    assertThat(info(next).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(db().claim(process).running()).isTrue();
  }

  @Test
  default void aPausedRunThatWaitedBeginsWhenResumed() {
    UUID process = db().join();
    Claimed first = db().startAndClaim(process);
    UUID next = chain(true, first.run());
    assertThat(db().store().pauses().pause(next, ANN)).isTrue();
    succeed(process, first);
    follow(first.run());
    assertThat(info(next).status()).isEqualTo(RunStatus.PAUSED);
    assertThat(db().claim(process, 10)).isEmpty();
    assertThat(db().store().pauses().resume(next, ANN)).isTrue();
    assertThat(info(next).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(db().claim(process).run()).isEqualTo(next);
  }

  @Test
  default void aPauseRacingWithTheLastUpstreamHasOneOutcome() {
    int trials = 100;
    UUID process = db().join();
    db().start(trials);
    List<Claimed> tasks = db().claim(process, trials);
    List<UUID> nexts = tasks.stream().map(task -> chain(true, task.run())).toList();
    tasks.forEach(task -> succeed(process, task));
    List<Store> stores = List.of(db().another(), db().another());
    CyclicBarrier together = new CyclicBarrier(2);
    Racers.race(
        2,
        number -> {
          for (int i = 0; i < trials; i++) {
            together.await();
            if (number == 0) {
              UUID run = tasks.get(i).run();
              stores.get(0).runEnds().follow(run, run, info -> List.of());
            } else if (stores.get(1).pauses().pause(nexts.get(i), ANN) && i % 2 == 0) {
              stores.get(1).pauses().resume(nexts.get(i), ANN);
            }
          }
          return true;
        });
    for (int i = 0; i < trials; i++) {
      assertThat(info(nexts.get(i)).status())
          .isEqualTo(i % 2 == 0 ? RunStatus.RUNNING : RunStatus.PAUSED);
    }
    assertThat(db().claim(process, trials)).hasSize(trials / 2);
    assertThat(db().query("select * from standpipe.chained")).isEmpty();
  }

  @Test
  default void aRunWaitsForItsLastUpstream() {
    UUID process = db().join();
    Claimed one = db().startAndClaim(process);
    Claimed two = db().startAndClaim(process);
    UUID next = chain(true, one.run(), two.run());
    UUID doomed = chain(true, one.run(), two.run());
    succeed(process, one);
    assertThat(follow(one.run()).ready()).isFalse();
    assertThat(info(next).status()).isEqualTo(RunStatus.WAITING);
    db().store().runs().cancel(doomed, 0, ANN);
    assertThat(db().store().runs().finishStopping(doomed)).isTrue();
    assertThat(info(doomed).status()).isEqualTo(RunStatus.CANCELED);
    succeed(process, two);
    assertThat(follow(two.run()).ready()).isTrue();
    assertThat(db().claim(process).run()).isEqualTo(next);
    assertThat(db().store().runQueries().value(next, "$input", 0)).contains("\"own\"");
    assertThat(info(doomed).status()).isEqualTo(RunStatus.CANCELED);
  }

  @Test
  default void aHaltedUpstreamAloneSkipsTheRun() {
    UUID process = db().join();
    Claimed good = db().startAndClaim(process);
    Claimed bad = db().startAndClaim(process);
    UUID next = chain(true, good.run(), bad.run());
    halt(process, bad);
    assertThat(follow(bad.run()).skipped()).containsExactly(next);
    succeed(process, good);
    FollowUp done = follow(good.run());
    assertThat(done.ready()).isFalse();
    assertThat(done.skipped()).isEmpty();
    assertThat(info(next).status()).isEqualTo(RunStatus.SKIPPED);
  }

  @Test
  default void aRunMayFollowAnEndedRun() {
    UUID process = db().join();
    Claimed good = db().startAndClaim(process);
    Claimed bad = db().startAndClaim(process);
    succeed(process, good);
    halt(process, bad);
    RunToStart next = downstream(false);
    assertThat(chain(db().store(), next, good.run())).contains(new Chained(false, true));
    assertThat(db().claim(process).run()).isEqualTo(next.run().id());
    assertThat(chain(db().store(), downstream(false), bad.run()))
        .contains(new Chained(true, false));
    assertThat(db().store().runEnds().ended(10)).isEmpty();
  }

  @Test
  default void anEndCountsOnceBeforeItsFollowUp() {
    UUID process = db().join();
    Claimed ended = db().startAndClaim(process);
    Claimed other = db().startAndClaim(process);
    UUID early = chain(true, ended.run());
    succeed(process, ended);
    UUID late = chain(true, ended.run(), other.run());
    assertThat(follow(ended.run()).ready()).isTrue();
    assertThat(info(late).status()).isEqualTo(RunStatus.WAITING);
    assertThat(db().claim(process).run()).isEqualTo(early);
  }

  @Test
  default void aRunCannotFollowAnUnknownRun() {
    UUID there = db().start();
    UUID nobody = UUID.randomUUID();
    var before = db().dump();
    assertThatExceptionOfType(UnknownRunException.class)
        .isThrownBy(() -> chain(db().store(), downstream(true), there, nobody))
        .withMessageContaining(nobody.toString());
    assertThat(db().dump()).isEqualTo(before);
  }

  @Test
  default void aLinkRacingWithTheEndHasOneOutcome() {
    UUID process = db().join();
    db().start(TRIALS);
    List<Claimed> tasks = new ArrayList<>(db().claim(process, TRIALS));
    tasks.sort(Comparator.comparing(Claimed::run));
    List<RunToStart> nexts =
        tasks.stream().map(task -> downstream(task.run().hashCode() % 2 == 0)).toList();
    List<Store> stores = List.of(db().another(), db().another());
    CyclicBarrier together = new CyclicBarrier(2);
    List<Integer> atOnce =
        Racers.race(
            2,
            number -> {
              int early = 0;
              for (int i = 0; i < TRIALS; i++) {
                Claimed task = tasks.get(i);
                together.await();
                if (number == 0) {
                  end(stores.get(0), process, task, i % 3 > 0);
                } else {
                  Chained chained = chain(stores.get(1), nexts.get(i), task.run()).orElseThrow();
                  early += chained.ready() || chained.skipped() ? 0 : 1;
                }
              }
              return early;
            });
    System.out.println("late links: " + atOnce.get(1) + " of " + TRIALS + " before the end");
    RunEnds follows = db().store().runEnds();
    assertThat(follows.ended(TRIALS)).hasSize(atOnce.get(1));
    follows.ended(TRIALS).forEach(this::follow);
    for (int i = 0; i < TRIALS; i++) {
      UUID next = nexts.get(i).run().id();
      assertThat(info(next).status()).isEqualTo(i % 3 > 0 ? RunStatus.RUNNING : RunStatus.SKIPPED);
    }
    List<Claimed> begun = db().claim(process, TRIALS);
    assertThat(begun).hasSize(TRIALS - (TRIALS + 2) / 3);
    assertThat(begun).allSatisfy(task -> assertThat(task.running()).isTrue());
    assertThat(db().query("select count(*) from standpipe.chain where not resolved"))
        .containsExactly("0");
    assertThat(db().query("select * from standpipe.chained")).isEmpty();
  }

  private static void end(Store store, UUID process, Claimed task, boolean good) {
    if (good) {
      store.tasks().settle(process, List.of(Success.of(task).endsRun().settlement()));
    } else {
      store.tasks().settle(process, List.of(failed(task)));
      store.runs().finishStopping(task.run());
    }
  }

  @Test
  default void racingUpstreamsStartTheirDownstreamOnce() {
    int pairs = 100;
    UUID process = db().join();
    db().start(2 * pairs);
    List<Claimed> tasks = db().claim(process, 2 * pairs);
    for (int i = 0; i < pairs; i++) {
      chain(true, tasks.get(i).run(), tasks.get(pairs + i).run());
    }
    tasks.forEach(task -> succeed(process, task));
    List<Store> stores = List.of(db().another(), db().another());
    CyclicBarrier together = new CyclicBarrier(2);
    Racers.race(
        2,
        number -> {
          for (int i = 0; i < pairs; i++) {
            together.await();
            UUID run = tasks.get(number * pairs + i).run();
            stores.get(number).runEnds().follow(run, run, info -> List.of());
          }
          return true;
        });
    assertThat(db().claim(process, 2 * pairs)).hasSize(pairs);
  }
}
