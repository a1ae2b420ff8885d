package dev.standpipe.internal.engine.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.RunStatus;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.StepError;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LogLineTest {
  private static final UUID ID = UUID.fromString("01890000-0000-7000-8000-000000000001");

  @Test
  void aLineHasTheEventsNameAndComponents() {
    Event.Step step = new Event.Step(ID, "charge", 2, 7, 3);
    assertThat(LogLine.of(new Event.RetryScheduled(step, Duration.ofMillis(1500))))
        .isEqualTo(
            "event=retry_scheduled run="
                + ID
                + " node=charge index=2 token=7 attempt=3 delay=PT1.5S");
    assertThat(LogLine.of(new Event.RunFinished(ID, "fulfil-order", RunStatus.SUCCEEDED)))
        .isEqualTo("event=run_finished run=" + ID + " pipeline=fulfil-order status=SUCCEEDED");
    assertThat(LogLine.of(new Event.ProcessReaped(ID, "worker-1", 12)))
        .isEqualTo("event=process_reaped process=" + ID + " process_name=worker-1 tasks=12");
  }

  @Test
  void anErrorIsShownWithoutItsTrace() {
    Event.Step step = new Event.Step(ID, "charge", 0, 1, 1);
    StepError error = new StepError("java.io.IOException", "no route", "at somewhere");
    assertThat(
            LogLine.of(
                new Event.ExecutionFailed(step, "orders", AttemptOutcome.FAILED, error, true)))
        .endsWith(
            "pipeline=orders outcome=FAILED error_type=java.io.IOException error=\"no route\" terminal=true")
        .doesNotContain("somewhere");
  }

  @Test
  void valuesWithSpacesQuotesOrEqualSignsAreQuoted() {
    assertThat(value("a b")).isEqualTo("\"a b\"");
    assertThat(value("a=b")).isEqualTo("\"a=b\"");
    assertThat(value("say \"hi\"")).isEqualTo("\"say \\\"hi\\\"\"");
    assertThat(value("back\\slash and more")).isEqualTo("\"back\\\\slash and more\"");
    assertThat(value("")).isEqualTo("\"\"");
    assertThat(value("grün")).isEqualTo("grün");
  }

  @Test
  void lineBreaksAndOtherControlCharactersAreEscaped() {
    assertThat(value("a\nevent=forged")).isEqualTo("\"a\\u000aevent=forged\"");
    assertThat(value("a\r\nb")).isEqualTo("\"a\\u000d\\u000ab\"");
    assertThat(value("a\tb\0c")).isEqualTo("\"a\\u0009b\\u0000c\"");
    assertThat(value("\u001b[31mred")).isEqualTo("\"\\u001b[31mred\"");
    assertThat(value("del\u007fete")).isEqualTo("\"del\\u007fete\"");
  }

  @Test
  void lineBreaksOutsideAsciiAreEscaped() {
    assertThat(value("a\u0085b")).isEqualTo("\"a\\u0085b\"");
    assertThat(value("a\u2028b")).isEqualTo("\"a\\u2028b\"");
    assertThat(value("a\u2029b")).isEqualTo("\"a\\u2029b\"");
    assertThat(value("a\u009b31mb")).isEqualTo("\"a\\u009b31mb\"");
  }

  @Test
  void everyCharacterKeepsTheLineWhole() {
    for (int c = 0; c <= Character.MAX_VALUE; c++) {
      String line = LogLine.of(new Event.DatabaseBack("a" + (char) c + "b"));
      boolean oneLine =
          line.chars().noneMatch(at -> Character.isISOControl(at) || at == 0x2028 || at == 0x2029);
      assertThat(oneLine).as("U+%04X", c).isTrue();
    }
  }

  private static String value(String text) {
    String line = LogLine.of(new Event.DatabaseBack(text));
    String start = "event=database_back part=";
    assertThat(line).startsWith(start);
    return line.substring(start.length());
  }
}
