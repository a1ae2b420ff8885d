package dev.standpipe.internal.engine.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.info.StepError;
import org.junit.jupiter.api.Test;

class ErrorTextTest {
  @Test
  void anErrorIsItsClassItsMessageAndItsTrace() {
    StepError error = ErrorText.of(new IllegalStateException("no funds", new Exception("cause")));
    assertThat(error.type()).isEqualTo("java.lang.IllegalStateException");
    assertThat(error.message()).isEqualTo("no funds");
    assertThat(error.trace())
        .startsWith("java.lang.IllegalStateException: no funds")
        .contains("ErrorTextTest")
        .contains("Caused by: java.lang.Exception: cause");
  }

  @Test
  void anErrorWithoutAMessageSaysSo() {
    assertThat(ErrorText.of(new IllegalStateException()).message()).isEqualTo("(no message)");
    assertThat(ErrorText.of(new IllegalStateException("")).message()).isEmpty();
  }

  @Test
  void unstorableCharactersAreReplaced() {
    StepError error = ErrorText.of(new Exception("nul \0 high \ud83d low \udca7 pair 💧"));
    assertThat(error.message()).isEqualTo("nul \ufffd high \ufffd low \ufffd pair 💧");
    assertThat(error.trace()).contains(error.message()).doesNotContain("\0");
  }

  @Test
  void aLongMessageIsCutBetweenCharactersAndMarked() {
    assertThat(ErrorText.of(new Exception("💧".repeat(5_000))).message())
        .isEqualTo("💧".repeat(4_000) + "…");
    assertThat(ErrorText.of(new Exception("a".repeat(4_000))).message())
        .isEqualTo("a".repeat(4_000));
  }

  @Test
  void aLongTraceIsCutAndMarked() {
    assertThat(ErrorText.of(new Exception("a".repeat(20_000))).trace())
        .hasSize(16_001)
        .endsWith("…");
  }

  @Test
  void anErrorThatCannotDescribeItselfIsRecorded() {
    StepError error = ErrorText.of(new Unspeakable());
    assertThat(error.type()).isEqualTo(Unspeakable.class.getName());
    assertThat(error.message()).isNotEmpty();
  }

  @Test
  void anErrorThatOverflowsTheStackIsRecorded() {
    StepError error = ErrorText.of(new Recursive());
    assertThat(error.message()).contains("StackOverflowError");
    assertThat(error.trace()).contains("StackOverflowError");
  }

  @Test
  void endlessCausesAreCut() {
    StepError error = ErrorText.of(new Endless());
    assertThat(error.message()).isEqualTo("endless");
    assertThat(error.trace()).hasSize(16_001).endsWith("…").contains("Caused by");
  }

  private static final class Recursive extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("InfiniteRecursion") // that is what it is for
    @Override
    public String getMessage() {
      return getMessage() + "!";
    }
  }

  private static final class Endless extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Endless() {
      super("endless");
    }

    @Override
    public synchronized Throwable getCause() {
      return new Endless();
    }
  }

  private static final class Unspeakable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("not even the message");
    }
  }
}
