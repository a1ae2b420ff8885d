package dev.standpipe.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.internal.store.SqlFailure;
import dev.standpipe.internal.store.StoreException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class StrainTest {
  private final Strain strain = new Strain();

  @Test
  void everyFailureOfTheTransportHalvesWhatIsClaimed() {
    assertThat(strain.bearable(64, 64)).isEqualTo(64);
    fail(SqlFailure.CONNECTION);
    assertThat(strain.bearable(64, 64)).isEqualTo(32);
    fail(SqlFailure.CONNECTION);
    assertThat(strain.bearable(64, 64)).isEqualTo(16);
    assertThat(strain.bearable(50, 64)).as("with 14 held").isEqualTo(2);
  }

  @Test
  void oneTaskIsAlwaysBearableAndNoneWhereThereIsNoRoom() {
    for (int i = 0; i < 100; i++) {
      fail(SqlFailure.CONNECTION);
    }
    assertThat(strain.bearable(16, 16)).isOne();
    assertThat(strain.bearable(15, 16)).isZero();
    assertThat(strain.bearable(0, 0)).isZero();
  }

  @Test
  void heartbeatsThatGetThroughEaseItStepByStep() {
    fail(SqlFailure.CONNECTION);
    fail(SqlFailure.CONNECTION);
    strain.ease();
    assertThat(strain.bearable(64, 64)).isEqualTo(32);
    strain.ease();
    strain.ease();
    assertThat(strain.bearable(64, 64)).isEqualTo(64);
  }

  @Test
  void whatIsNotTheTransportsFaultDoesNotCount() {
    fail(SqlFailure.TRANSIENT);
    fail(SqlFailure.DATA);
    assertThat(strain.bearable(64, 64)).isEqualTo(64);
  }

  @Test
  void aLackOfMemoryCounts() {
    Loop.Pass pass =
        strain.felt(
            () -> {
              throw new OutOfMemoryError("on purpose");
            });
    assertThatThrownBy(pass::run).isInstanceOf(OutOfMemoryError.class);
    assertThat(strain.bearable(64, 64)).isEqualTo(32);
  }

  private void fail(SqlFailure failure) {
    Loop.Pass pass =
        strain.felt(
            () -> {
              throw new StoreException(failure, new SQLException("no route to host"));
            });
    assertThatThrownBy(pass::run).isInstanceOf(StoreException.class);
  }
}
