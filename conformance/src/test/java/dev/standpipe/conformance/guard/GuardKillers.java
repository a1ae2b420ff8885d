package dev.standpipe.conformance.guard;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Which check noticed each mutant the last time somebody wrote that down. It is tried first, so
 * that most mutants take one check and not fifty; an entry that is out of date costs time and
 * nothing else. {@code -Dguard.killers=FILE} writes the list anew.
 */
final class GuardKillers {
  private static final String LIST = "guard-killers.txt";
  private static final String ARROW = " => ";

  private final Map<String, String> known = read();

  <C> Map<String, C> likeliestFirst(GuardMutant mutant, Map<String, C> checks) {
    String likeliest = known.get(line(mutant));
    if (likeliest == null || !checks.containsKey(likeliest)) {
      return checks;
    }
    Map<String, C> ordered = new LinkedHashMap<>();
    ordered.put(likeliest, checks.get(likeliest));
    ordered.putAll(checks);
    return ordered;
  }

  void found(GuardMutant mutant, String check) {
    String file = System.getProperty("guard.killers");
    if (file != null) {
      try {
        Files.writeString(
            Path.of(file),
            line(mutant) + ARROW + check + "\n",
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static String line(GuardMutant mutant) {
    return mutant.toString().replace('\n', ' ');
  }

  private static Map<String, String> read() {
    try (InputStream list = GuardKillers.class.getResourceAsStream(LIST);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .map(line -> line.split(ARROW, 2))
          .collect(Collectors.toMap(entry -> entry[0], entry -> entry[1], (one, same) -> one));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
