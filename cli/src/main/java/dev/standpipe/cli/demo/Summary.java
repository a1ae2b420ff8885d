package dev.standpipe.cli.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Help.Ansi;
import tools.jackson.databind.json.JsonMapper;

/**
 * The end of the story, in words or as JSON.
 *
 * @param database what the database is called
 * @param findings what the audit has counted
 * @param staleWrites how many late writes were refused, as the workers were told
 * @param seconds how long it all took
 */
record Summary(String database, Findings findings, int staleWrites, double seconds) {
  List<String> lines() {
    Findings f = findings;
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(line(f.runsSucceeded(), "of %d runs succeeded".formatted(f.runs())));
    lines.add(line(f.steps(), f.ok() ? "steps committed, each of them once" : "steps committed"));
    lines.add(line(f.crashedAttempts(), "crashed attempts recovered"));
    lines.add(line(staleWrites, "stale writes rejected"));
    lines.add(line(f.receipts(), "receipts written exactly once"));
    lines.add(
        line(
            f.bodiesRepeated(),
            f.ok()
                ? "bodies ran twice to their end, with the same idempotency key"
                : "bodies ran twice to their end"));
    lines.add("");
    f.problems().forEach(problem -> lines.add(Ansi.AUTO.string("  @|bold,red " + problem + "|@")));
    String verdict =
        f.ok()
            ? "@|bold,green Nothing lost, nothing committed twice.|@"
            : "@|bold,red This is a bug: please report it.|@";
    lines.add(
        Ansi.AUTO.string(verdict)
            + String.format(Locale.ROOT, " %.1f s on %s.", seconds, database));
    return lines;
  }

  private static String line(int count, String what) {
    return Ansi.AUTO.string("  @|bold %6d|@ %s".formatted(count, what));
  }

  String json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("ok", findings.ok());
    json.put("database", database);
    json.put("runs", findings.runs());
    json.put("runs_succeeded", findings.runsSucceeded());
    json.put("steps", findings.steps());
    json.put("crashed_attempts", findings.crashedAttempts());
    json.put("stale_writes_rejected", staleWrites);
    json.put("receipts", findings.receipts());
    json.put("receipts_duplicated", findings.receiptsDuplicated());
    json.put("bodies_repeated", findings.bodiesRepeated());
    json.put("seconds", Math.round(seconds * 10) / 10.0);
    if (!findings.ok()) {
      json.put("problems", findings.problems());
    }
    return JsonMapper.shared().writeValueAsString(json);
  }
}
