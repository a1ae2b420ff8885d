package dev.standpipe.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class WorkerEventTest {
  static Stream<WorkerEvent> events() {
    return Stream.of(
        new WorkerEvent.Ready(),
        new WorkerEvent.Stale("pack", 3, 7),
        new WorkerEvent.Reaped("worker-2", 9));
  }

  @ParameterizedTest
  @MethodSource("events")
  void anEventReadsBackUnchanged(WorkerEvent event) {
    assertThat(WorkerEvent.parse(event.line())).contains(event);
  }

  @Test
  void otherLinesAreNoEvents() {
    assertThat(WorkerEvent.parse("Picked up JAVA_TOOL_OPTIONS: -Xint")).isEmpty();
  }
}
