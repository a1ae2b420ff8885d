package dev.standpipe;

import dev.standpipe.outbox.Sink;
import dev.standpipe.schedule.Schedule;
import java.util.List;

/**
 * What a program serves: for {@link StandpipeBuilder#serve(Deployment)} to serve, and for {@link
 * Standpipe#check} and {@code standpipe check} to compare with the runs in flight beforehand.
 */
@FunctionalInterface
public interface Deployment {
  /** The pipelines. */
  List<Pipeline<?, ?>> pipelines();

  /** The schedules. */
  default List<Schedule<?>> schedules() {
    return List.of();
  }

  /** Where events are published to. */
  default List<Sink> sinks() {
    return List.of();
  }

  /** Whose older runs are taken over as well. */
  default List<TakeOver> takeOvers() {
    return List.of();
  }
}
