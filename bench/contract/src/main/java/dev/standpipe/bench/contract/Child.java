package dev.standpipe.bench.contract;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * The main loop of a child process. It says {@code hello} with the contender's version and
 * configuration, then takes one order after the other: for each it says {@code ready}, waits for
 * {@code go}, says {@code result} with a line of JSON as soon as the measurement is over, and
 * {@code closed} once all its connections are. What it cannot do it answers with {@code cannot},
 * what fails with {@code failed}. It ends with its input.
 */
public final class Child {
  private final Contender contender;
  private final BufferedReader in;
  private final Line line;

  private Child(Contender contender, BufferedReader in, PrintStream out) {
    this.contender = contender;
    this.in = in;
    this.line = new Line(in, out);
  }

  /** Serves the orchestrator that started this process, and exits. */
  public static void main(Contender contender) throws IOException {
    ProcessHandle.current().parent().ifPresent(Child::endWith);
    PrintStream wire = System.out;
    // What libraries print must not get in between.
    System.setOut(System.err);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    new Child(contender, in, wire).serve();
    System.exit(0);
  }

  /** Nobody is left to want a result once the orchestrator has been killed. */
  private static void endWith(ProcessHandle orchestrator) {
    Thread watch =
        new Thread(
            () -> {
              orchestrator.onExit().join();
              Runtime.getRuntime().halt(1);
            },
            "bench-orchestrator");
    watch.setDaemon(true);
    watch.start();
  }

  private void serve() throws IOException {
    line.say(
        "hello",
        Json.object(
            Map.of("version", contender.version(), "configuration", contender.configuration())));
    String text = in.readLine();
    while (text != null) {
      obey(Order.parse(text));
      text = in.readLine();
    }
  }

  private void obey(Order order) {
    Optional<String> cannot = contender.cannot(order.trial(), order.shape());
    if (cannot.isPresent()) {
      line.say("cannot", cannot.get());
      return;
    }
    try {
      order.trial().trial().run(contender, order, line);
      line.say("closed", "");
    } catch (Exception e) {
      e.printStackTrace();
      line.say("failed", e.toString().replaceAll("\\s+", " "));
    }
  }
}
