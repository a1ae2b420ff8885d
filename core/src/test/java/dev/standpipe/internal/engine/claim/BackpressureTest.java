package dev.standpipe.internal.engine.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.internal.engine.loop.EngineLoop;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class BackpressureTest {
  private final Backpressure backpressure = new Backpressure();

  @Test
  void everyTransportFailureHalvesTheClaims() {
    assertThat(backpressure.bearable(64, 64)).isEqualTo(64);
    fail(StoreFailure.CONNECTION);
    assertThat(backpressure.bearable(64, 64)).isEqualTo(32);
    fail(StoreFailure.CONNECTION);
    assertThat(backpressure.bearable(64, 64)).isEqualTo(16);
    assertThat(backpressure.bearable(50, 64)).as("with 14 held").isEqualTo(2);
  }

  @Test
  void backpressureAlwaysLeavesRoomForOneTask() {
    for (int i = 0; i < 100; i++) {
      fail(StoreFailure.CONNECTION);
    }
    assertThat(backpressure.bearable(16, 16)).isOne();
    assertThat(backpressure.bearable(15, 16)).isZero();
    assertThat(backpressure.bearable(0, 0)).isZero();
  }

  @Test
  void heartbeatsEaseBackpressureStepByStep() {
    fail(StoreFailure.CONNECTION);
    fail(StoreFailure.CONNECTION);
    backpressure.ease();
    assertThat(backpressure.bearable(64, 64)).isEqualTo(32);
    backpressure.ease();
    backpressure.ease();
    assertThat(backpressure.bearable(64, 64)).isEqualTo(64);
  }

  @Test
  void otherFailuresDoNotCount() {
    fail(StoreFailure.TRANSIENT);
    fail(StoreFailure.DATA);
    assertThat(backpressure.bearable(64, 64)).isEqualTo(64);
  }

  @Test
  void anOutOfMemoryErrorCounts() {
    EngineLoop.Pass pass =
        backpressure.felt(
            () -> {
              throw new OutOfMemoryError("on purpose");
            });
    assertThatThrownBy(pass::run).isInstanceOf(OutOfMemoryError.class);
    assertThat(backpressure.bearable(64, 64)).isEqualTo(32);
  }

  private void fail(StoreFailure failure) {
    EngineLoop.Pass pass =
        backpressure.felt(
            () -> {
              throw new StoreException(failure, new SQLException("no route to host"));
            });
    assertThatThrownBy(pass::run).isInstanceOf(StoreException.class);
  }
}
