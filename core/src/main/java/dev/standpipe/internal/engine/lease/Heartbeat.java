package dev.standpipe.internal.engine.lease;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.port.Processes;
import dev.standpipe.internal.port.Processes.Member;
import dev.standpipe.internal.port.Processes.Serving;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Keeps this process's lease. If the database no longer knows the process, it was reaped: its
 * bodies are interrupted, and it joins again under a fresh id. However long the database could not
 * be reached, the process keeps its id until then: its tasks are still its own.
 */
public final class Heartbeat {
  private static final int BEATS_PER_LEASE = 6;

  private final Processes processes;
  private final ProcessState processState;
  private final Duration leaseTime;
  private final Supplier<Serving> serving;
  private final Machine machine;
  private final ProgressReports progress;

  public Heartbeat(
      Processes processes,
      ProcessState processState,
      Duration leaseTime,
      Supplier<Serving> serving,
      Machine machine,
      ProgressReports progress) {
    this.processes = processes;
    this.processState = processState;
    this.leaseTime = leaseTime;
    this.serving = serving;
    this.machine = machine;
    this.progress = progress;
  }

  /** One pass; says how long to wait for the next. */
  public Duration beat() {
    ProcessLease lease = processState.lease();
    long sentAt = machine.nanoTime();
    if (!lease.isGone() && processes.renew(lease.id(), leaseTime)) {
      lease.renewed(sentAt);
      processState.backpressure().ease();
      progress.write(lease.id());
    } else {
      if (!lease.isGone()) {
        lease.markGone();
        processState.lose(lease, "reaped by another process after its lease ran out");
      }
      join(lease.member());
    }
    return interval(leaseTime);
  }

  /** How long it waits from beat to beat, and at most after one that failed. */
  public static Duration interval(Duration leaseTime) {
    return leaseTime.dividedBy(BEATS_PER_LEASE);
  }

  /** Joins as a new process. */
  public void join(Member before) {
    Member member = new Member(machine.freshId(), before.name(), before.host(), before.pid());
    ProcessLease lease = new ProcessLease(member, leaseTime, machine);
    long sentAt = machine.nanoTime();
    machine.joining(member.id());
    processes.join(member, leaseTime, serving.get());
    lease.renewed(sentAt);
    processState.lease(lease);
    processState.events().publish(new Event.ProcessStarted(member.id(), member.name()));
  }
}
