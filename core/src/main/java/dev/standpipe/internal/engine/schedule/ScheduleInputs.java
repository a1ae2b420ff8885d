package dev.standpipe.internal.engine.schedule;

import dev.standpipe.info.StepError;
import dev.standpipe.internal.engine.execute.ErrorText;
import dev.standpipe.schedule.Schedule;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Has user code make the inputs of scheduled runs, on a thread of its own and within a time. */
public final class ScheduleInputs {
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final PayloadCodec codec;

  public ScheduleInputs(PayloadCodec codec) {
    this.codec = codec;
  }

  /**
   * The input of an instant's run, encoded. One who is interrupted meanwhile has decided nothing:
   * the instant is still to be fired.
   */
  String make(Schedule<?> schedule, Instant at) throws NoInputException {
    FutureTask<String> making = new FutureTask<>(() -> encoded(schedule, at));
    Thread thread = new Thread(making, "standpipe-schedule-" + schedule.name());
    thread.setDaemon(true);
    thread.start();
    try {
      return making.get(LONGEST.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof NoInputException none
          ? none
          : new NoInputException(String.valueOf(e.getMessage()));
    } catch (TimeoutException e) {
      making.cancel(true);
      throw NoInputException.slow("The input was not made within " + LONGEST);
    } catch (InterruptedException e) {
      making.cancel(true);
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while the input was made", e);
    }
  }

  /** What is thrown here is user code, too: its text is made here, as well. */
  private String encoded(Schedule<?> schedule, Instant at) throws NoInputException {
    Type type = schedule.pipeline().inputType().type();
    try {
      return codec.encode(type == Void.class ? null : schedule.input(at), type);
    } catch (Throwable e) {
      StepError error = ErrorText.of(e);
      throw new NoInputException(error.type() + ": " + error.message());
    }
  }
}
