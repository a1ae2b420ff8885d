package dev.standpipe.internal.store.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.internal.port.Settlement.StepEffect;
import org.junit.jupiter.api.Test;

class EffectWritersTest {
  @Test
  void everyKindOfEffectHasOneWriter() {
    assertThat(EffectWriters.kinds())
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrder(kinds(StepEffect.class.getPermittedSubclasses()));
  }

  @SuppressWarnings("unchecked") // what an interface permits are its subclasses
  private static Class<? extends StepEffect>[] kinds(Class<?>[] permitted) {
    return (Class<? extends StepEffect>[]) permitted;
  }
}
