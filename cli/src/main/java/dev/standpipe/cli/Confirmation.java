package dev.standpipe.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a command says about something it has changed.
 *
 * @param kind what kind of thing it is
 * @param name its name
 * @param done what was done
 */
public record Confirmation(String kind, String name, String done) {
  /** Prints it, as a line or as a JSON object. */
  public void print(PrintWriter out, boolean json) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(kind, name);
    map.put("done", done);
    out.println(json ? JsonMapper.shared().writeValueAsString(map) : name + ": " + done);
    out.flush();
  }
}
