package dev.standpipe.memory;

import static dev.standpipe.conformance.server.WorkerJvm.argument;

import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.server.PostgresServer;
import java.time.Duration;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** A process that expands into very many elements and collapses them again. */
final class ExpandWorker {
  /** As many elements as its input says; the result is the sum of their doubles. */
  private static final Pipeline<Integer, Long> WIDE =
      Pipeline.define(
          "wide",
          Integer.class,
          Long.class,
          flow ->
              flow.input()
                  .expand("elements", Integer.class, n -> IntStream.range(0, n).boxed().toList())
                  .step("double", Integer.class, n -> 2 * n)
                  .collapse(
                      "sum", Long.class, list -> list.stream().mapToLong(Integer::intValue).sum()));

  private ExpandWorker() {}

  /**
   * Says {@code sum=} and the result.
   *
   * @param args url and elements
   */
  public static void main(String[] args) throws InterruptedException {
    try (Standpipe standpipe = Standpipe.on(source(argument(args, "url"))).serve(WIDE).start()) {
      int elements = Integer.parseInt(argument(args, "elements"));
      System.out.println("sum=" + standpipe.start(WIDE, elements).await(Duration.ofMinutes(10)));
    }
  }

  static DataSource source(String url) {
    if (url.startsWith("jdbc:sqlite:")) {
      SQLiteDataSource source = new SQLiteDataSource();
      source.setUrl(url);
      return source;
    }
    return PostgresServer.dataSource(url);
  }
}
