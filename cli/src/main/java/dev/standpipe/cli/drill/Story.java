package dev.standpipe.cli.drill;

import dev.standpipe.spi.Event;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** What happens in a drill, line by line: for people, or as JSON. Thread-safe. */
final class Story {
  private final PrintWriter out;
  private final boolean json;
  private String drill = "";
  private long beganAt = System.nanoTime();

  Story(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  synchronized void begin(String name, String claim) {
    drill = name;
    beganAt = System.nanoTime();
    tell("drill_started", claim);
  }

  /** Tells of an event of a process that matters here. */
  void hear(String process, Event event) {
    if (event instanceof Event.LeaseAcquired e) {
      tell(event.name(), process + " holds " + step(e.step()));
    } else if (event instanceof Event.StaleWriteBlocked e) {
      tell(event.name(), "the late write of " + process + " for " + step(e.step()));
    } else if (event instanceof Event.ExecutionSucceeded e) {
      tell(event.name(), process + " has committed " + step(e.step()));
    } else if (event instanceof Event.RetryScheduled e) {
      tell(event.name(), step(e.step()) + " again in " + e.delay().toMillis() + " ms");
    } else if (event instanceof Event.ProcessReaped e) {
      tell("recovered", "%d steps of %s are ready again".formatted(e.tasks(), e.processName()));
    } else if (event instanceof Event.ProcessStarted e) {
      tell(event.name(), process + " as " + e.process());
    } else if (event instanceof Event.LeaseLost
        || event instanceof Event.DatabaseLost
        || event instanceof Event.DatabaseBack
        || event instanceof Event.RunFinished) {
      tell(event.name(), process);
    }
  }

  private static String step(Event.Step step) {
    String run = step.run().toString();
    return "%s of run …%s (token %d, attempt %d)"
        .formatted(step.node(), run.substring(run.length() - 4), step.token(), step.attempt());
  }

  /** Tells of anything. */
  synchronized void tell(String event, String detail) {
    double seconds = (System.nanoTime() - beganAt) / 1e9;
    if (json) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("drill", drill);
      line.put("ms", Math.round(seconds * 1000));
      line.put("event", event);
      line.put("detail", detail);
      out.println(JsonMapper.shared().writeValueAsString(line));
    } else {
      out.printf(Locale.ROOT, "%-13s %6.2f s  %-20s %s%n", drill, seconds, event, detail);
    }
    out.flush();
  }
}
