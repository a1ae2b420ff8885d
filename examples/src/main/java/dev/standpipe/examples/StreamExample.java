package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.TypeToken;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * More elements than anybody wants to have in memory: they are read from a stream, go in a chunk at
 * a time, are worked on while the next are read, and are counted one by one. A window keeps the
 * queue short. A process that dies half-way leaves the rest to another, which skips what is in.
 */
public final class StreamExample {
  private static final TypeToken<Map<String, Integer>> COUNTS = new TypeToken<>() {};

  private StreamExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<Integer, String> readings =
        Pipeline.define(
            "readings",
            Integer.class,
            String.class,
            flow ->
                flow.input()
                    .expandStream("read", Integer.class, StreamExample::sensor)
                    .limit(1_000_000)
                    .window(2_000)
                    .step("classify", String.class, StreamExample::classify)
                    .reduce("count", COUNTS, TreeMap::new, StreamExample::count)
                    .step("report", String.class, StreamExample::report));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(readings).start()) {
      System.out.println(standpipe.start(readings, 10_000).await(ofMinutes(1)));
    }
  }

  /** The same readings in the same order whenever it is asked: that is what a restart relies on. */
  private static Stream<Integer> sensor(int count) {
    return IntStream.range(0, count).map(i -> i * 7 % 30).boxed();
  }

  private static String classify(int degrees) {
    return degrees < 10 ? "cold" : degrees < 20 ? "mild" : "warm";
  }

  private static Map<String, Integer> count(Map<String, Integer> counts, String kind) {
    counts.merge(kind, 1, Integer::sum);
    return counts;
  }

  private static String report(Map<String, Integer> counts) {
    int all = counts.values().stream().mapToInt(Integer::intValue).sum();
    return "%d kinds of %,d readings: cold %d, mild %d, warm %d"
        .formatted(counts.size(), all, counts.get("cold"), counts.get("mild"), counts.get("warm"));
  }
}
