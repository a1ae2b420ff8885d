package dev.standpipe.internal.engine.maintain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Role;
import dev.standpipe.internal.engine.Hooks;
import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.Settings;
import dev.standpipe.internal.engine.claim.Capacity;
import dev.standpipe.internal.engine.claim.InFlight;
import dev.standpipe.internal.engine.client.RunEndListeners;
import dev.standpipe.internal.engine.client.RunWaiters;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.lease.ProcessLease;
import dev.standpipe.internal.port.PendingWork;
import dev.standpipe.internal.port.PendingWork.Seen;
import dev.standpipe.internal.port.PendingWork.Written;
import dev.standpipe.internal.port.Processes.Member;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.simulation.SimMachine;
import dev.standpipe.internal.simulation.SimTime;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How often a process looks and reaps, by a clock that is turned by hand. */
class PollerTest {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration LEASE = Duration.ofSeconds(16);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final SimTime time = new SimTime();
  private final SimMachine machine = new SimMachine(time, new Random(1));
  private final ProcessLease lease =
      new ProcessLease(new Member(new UUID(0, 1), "p", "localhost", 1), LEASE, machine);
  private final Events events = new Events(List.of());
  private final ProcessState processState =
      new ProcessState(
          lease,
          new InFlight(new Capacity(4, 10, machine), machine),
          events,
          outcome -> {},
          () -> {});
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicInteger reaps = new AtomicInteger();
  private final AtomicInteger claims = new AtomicInteger();
  private Seen seen = idle(1);
  private Written written = Written.UNKNOWN;
  private final Poller poller = poller(Role.ALL);

  @Test
  void anIdleProcessLooksOnceASecond() {
    poller.hears(true);
    assertThat(looksIn(MINUTE)).isBetween(55, 62);
    assertThat(reaps).hasValue(0);
    assertThat(claims).hasValue(0);
  }

  @Test
  void idleProcessesShareTheirLooks() {
    poller.hears(true);
    seen = idle(4);
    looksIn(MINUTE);
    assertThat(looksIn(MINUTE)).isBetween(14, 16);
    seen = idle(100);
    looksIn(MINUTE);
    assertThat(looksIn(MINUTE)).isBetween(7, 8);
    seen = idle(1);
    looksIn(Duration.ofSeconds(9));
    assertThat(looksIn(MINUTE)).as("when the others are gone").isBetween(55, 62);
  }

  @Test
  void aProcessWithoutAListenerLooksEveryPollInterval() {
    seen = idle(100);
    assertThat(looksIn(MINUTE)).isBetween(298, 301);
    poller.hears(true);
    looksIn(MINUTE);
    assertThat(looksIn(MINUTE)).isLessThan(9);
    poller.hears(false);
    assertThat(looksIn(MINUTE)).as("with its listener lost").isBetween(298, 301);
  }

  @Test
  void aQuietDatabaseMakesLooksRare() {
    written = Written.NOTHING;
    seen = idle(4);
    looksIn(MINUTE);
    assertThat(looksIn(MINUTE)).isBetween(14, 16);
    written = Written.SOMETHING;
    assertThat(looksIn(POLL)).as("at once").isOne();
    written = Written.NOTHING;
    assertThat(looksIn(Duration.ofSeconds(5))).as("it may not be there yet").isBetween(23, 26);
    assertThat(looksIn(MINUTE)).isBetween(14, 16);
    written = Written.UNKNOWN;
    assertThat(looksIn(MINUTE)).isBetween(298, 301);
  }

  @Test
  void aNotifiedProcessLooksEveryPollIntervalForAWhile() {
    poller.hears(true);
    seen = idle(8);
    looksIn(MINUTE);
    poller.told();
    assertThat(looksIn(Duration.ofSeconds(5))).isBetween(24, 26);
    looksIn(MINUTE);
    poller.notice();
    assertThat(looksIn(Duration.ofSeconds(5))).as("took something").isBetween(24, 26);
  }

  @Test
  void aMaintainerLooksEveryPollIntervalWhileOthersWork() {
    Poller maintainer = poller(Role.MAINTENANCE);
    maintainer.hears(true);
    seen = idle(3);
    looksIn(maintainer, MINUTE);
    seen = busy(3);
    looksIn(maintainer, MINUTE);
    assertThat(looksIn(maintainer, MINUTE)).isBetween(298, 301);
  }

  @Test
  void visibleWorkIsSweptAtFullSpeed() {
    seen =
        new Seen(
            false,
            false,
            true,
            false,
            false,
            false,
            true,
            8,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    looksIn(MINUTE);
    assertThat(reaps.get()).isBetween(14, 15);
  }

  @Test
  void processesShareTheSweepsForInvisibleWork() {
    seen = busy(5);
    looksIn(MINUTE.multipliedBy(2));
    assertThat(reaps.get()).isBetween(5, 6);
  }

  @Test
  void readyTasksAreClaimed() {
    seen =
        new Seen(
            true,
            false,
            true,
            false,
            false,
            false,
            false,
            1,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    poller.perform();
    assertThat(claims).hasValue(1);
  }

  private int looksIn(Duration span) {
    return looksIn(poller, span);
  }

  private int looksIn(Poller polled, Duration span) {
    int before = looks.get();
    for (long i = 0; i < span.dividedBy(POLL); i++) {
      lease.renewed(machine.nanoTime());
      polled.perform();
      time.pass(POLL);
    }
    return looks.get() - before;
  }

  private Poller poller(Role role) {
    Settings settings =
        new Settings(
            "p",
            4,
            LEASE,
            POLL,
            Duration.ZERO,
            10,
            1 << 20,
            10,
            role,
            new Hooks(List.of(), List.of()));
    Store none = null; // it is not performed, only asked whether it should be
    RunWaiters waiters = new RunWaiters(null, POLL, () -> {});
    RunEndListeners ends = new RunEndListeners(waiters, events, () -> {});
    Reaper reaper =
        new Reaper(
            none,
            processState,
            new Maintenance.MaintenanceDeps(
                settings, machine, null, ends, () -> {}, () -> {}, () -> 0));
    return new Poller(
        new Poller.Source(
            new PendingWork() {
              @Override
              public Written written() {
                return written;
              }

              @Override
              public Optional<Seen> look(Collection<Integer> lanes) {
                looks.incrementAndGet();
                return Optional.of(seen);
              }
            },
            List::of,
            claims::incrementAndGet),
        processState,
        settings,
        machine,
        (seen, news) -> reaper.dueAfter(seen, news).ifPresent(at -> reaps.incrementAndGet()),
        time -> {});
  }

  private static Seen idle(int processes) {
    return new Seen(
        false,
        false,
        false,
        false,
        false,
        false,
        false,
        processes,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static Seen busy(int processes) {
    return new Seen(
        false,
        false,
        true,
        false,
        false,
        false,
        false,
        processes,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
