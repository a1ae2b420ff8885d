package dev.standpipe.checker;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A line of a history: {@code what at process run node index attempt token}, parted by spaces.
 *
 * @param what what happened
 * @param at when, on a clock that all processes of the histories share and that never goes back
 * @param process who says so
 * @param step the step it happened to
 * @param attempt the number of the try
 * @param token the token of the try
 */
public record Entry(What what, long at, String process, Step step, int attempt, long token) {
  private static final int WORDS = 8;

  /** This entry as a line, without its end. */
  public String line() {
    return String.join(
        " ",
        what.name(),
        Long.toString(at),
        URLEncoder.encode(process, StandardCharsets.UTF_8),
        step.run().toString(),
        URLEncoder.encode(step.node(), StandardCharsets.UTF_8),
        Integer.toString(step.index()),
        Integer.toString(attempt),
        Long.toString(token));
  }

  /** The entry of a line. */
  public static Entry parse(String line) {
    String[] word = line.split(" ", -1);
    if (word.length != WORDS) {
      throw new IllegalArgumentException("Not a line of a history: \"" + line + "\"");
    }
    return new Entry(
        What.valueOf(word[0]),
        Long.parseLong(word[1]),
        URLDecoder.decode(word[2], StandardCharsets.UTF_8),
        new Step(
            UUID.fromString(word[3]),
            URLDecoder.decode(word[4], StandardCharsets.UTF_8),
            Integer.parseInt(word[5])),
        Integer.parseInt(word[6]),
        Long.parseLong(word[7]));
  }

  /** Reads a history; a last line that was not finished is left out. */
  public static List<Entry> read(Path file) throws IOException {
    String text = Files.readString(file);
    List<Entry> entries = new ArrayList<>();
    text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(line -> entries.add(parse(line)));
    return entries;
  }

  @Override
  public String toString() {
    return what + " " + step + " attempt " + attempt + " token " + token + " by " + process;
  }
}
