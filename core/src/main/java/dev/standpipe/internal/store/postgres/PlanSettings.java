package dev.standpipe.internal.store.postgres;

import dev.standpipe.internal.store.connection.Purpose;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What the server has to be told so that statements are planned and isolated as they must be. */
final class PlanSettings {
  /** The server ends a transaction whose client is gone: it would hold its locks for hours. */
  static final String IDLE = "idle_in_transaction_session_timeout";

  /** For one transaction, unless there is a limit already. */
  static final String IDLE_LOCAL =
      "case current_setting('%1$s') when '0' then set_config('%1$s', '60000', true) end"
          .formatted(IDLE);

  private PlanSettings() {}

  /**
   * Compiling takes longer than any of these statements. The rest makes plans that are kept and
   * never scan a whole table.
   */
  static Map<String, String> of(Purpose purpose) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("jit", "off");
    if (purpose == Purpose.WORK) {
      settings.put("plan_cache_mode", "force_generic_plan");
      settings.put("enable_seqscan", "off");
      settings.put("enable_bitmapscan", "off");
    }
    return settings;
  }

  /** Calls that set them for one transaction. */
  static String local(Purpose purpose) {
    return of(purpose).entrySet().stream()
        .map(s -> "set_config('%s', '%s', true)".formatted(s.getKey(), s.getValue()))
        .collect(Collectors.joining(", "));
  }
}
