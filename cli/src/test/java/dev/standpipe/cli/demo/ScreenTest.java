package dev.standpipe.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ScreenTest {
  private final List<Order> orders = Order.several(4);
  private final StringWriter text = new StringWriter();
  private final PrintWriter out = new PrintWriter(text);

  @Test
  void aTerminalIsRedrawnInPlace() {
    LiveScreen screen = new LiveScreen(out, Bars.forCharset(StandardCharsets.US_ASCII));

    screen.show(Progress.none(orders));
    screen.say("worker 2 killed");
    screen.show(Progress.of(orders, Map.of("charge", 2), 4));

    assertThat(text.toString()).contains("................", "worker 2 killed");
    assertThat(text.toString()).containsPattern("charge +#{16}\\.{16} +2/4");
    assertThat(text.toString().split("\u001b\\[4A", -1)).hasSize(3);
  }

  @Test
  void aFileGetsPlainLines() {
    PlainScreen screen = new PlainScreen(out);

    screen.say("worker 2 killed");
    screen.show(Progress.of(orders, Map.of("charge", 4, "pack", 10), 0));
    screen.close();
    screen.say("never seen");

    assertThat(text.toString()).doesNotContain("\u001b", "never seen");
    assertThat(text.toString().lines()).hasSize(2);
    assertThat(text.toString()).contains("charge 4/4  pack 10/10  label 0/4");
  }

  @Test
  void barsUseBlocksOnUtf8Terminals() {
    assertThat(Bars.forCharset(StandardCharsets.UTF_8).full()).isEqualTo("█");
    assertThat(Bars.forCharset(StandardCharsets.ISO_8859_1).full()).isEqualTo("#");
  }
}
