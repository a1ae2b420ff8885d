package dev.standpipe.bench.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CallsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @Test
  void callsAreMadeOneByOneUpToTheCount() throws Exception {
    AtomicInteger calls = new AtomicInteger();

    long[] micros = new Calls(engine(calls::incrementAndGet), 0).make(0, 5, SECOND);

    assertThat(micros).hasSize(5);
    assertThat(calls).hasValue(5);
  }

  @Test
  void aHangingCallIsCountedAndAbandoned() throws Exception {
    CountDownLatch never = new CountDownLatch(1);

    long[] micros = new Calls(engine(never::await), 100).make(0, 3, SECOND / 5);

    assertThat(Arrays.stream(micros)).hasSize(3).allMatch(took -> took >= 200_000);
  }

  private static Engine engine(Tally.Starting call) {
    return new Engine() {
      @Override
      public void start(int run) {}

      @Override
      public void startAll(int first, int count) {}

      @Override
      public void call(int run) throws Exception {
        call.run();
      }

      @Override
      public boolean drained() {
        return true;
      }

      @Override
      public void close() {}
    };
  }
}
