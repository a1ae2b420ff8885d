package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.WorkerJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/**
 * F39: no thread can be made for a while, just when the first bodies are to run. The process works
 * again afterwards. Later JVMs run bodies on virtual threads, and have no way to refuse any.
 */
class F39NoThreadsTest {
  @TempDir private Path directory;

  @Test
  @EnabledForJreRange(max = JRE.JAVA_17)
  void aProcessRecoversFromAThreadShortage() {
    try (WorkerJvm worker =
        WorkerJvm.of(NoThreadsWorker.class, "scarce", directory)
            .survivingOutOfMemory()
            .option("-Djava.security.manager=allow")
            .argument("url", PostgresServer.shared().freshJdbcUrl())
            .start()) {
      assertThat(worker.awaitLine("done=")).isEqualTo("40");
      assertThat(worker.awaitLine("over=")).as("threads were refused").isEqualTo("true");
      assertThat(worker.awaitExit()).isZero();
    }
  }
}
