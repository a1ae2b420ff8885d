package dev.standpipe.faults;

import static dev.standpipe.conformance.server.WorkerJvm.argument;

import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** A process that some of its steps are the death of, unless they have been fixed. */
final class PoisonWorker {
  static final String HALT = "halt";
  static final String HEAP = "heap";
  static final String EXIT = "exit";

  private PoisonWorker() {}

  static WorkerJvm.Setup setup(String name, Path directory, String url) {
    return WorkerJvm.of(PoisonWorker.class, name, directory)
        .heap("64m")
        .argument("name", name)
        .argument("url", url);
  }

  /**
   * Serves the pipeline until it dies.
   *
   * @param args name, url, in milliseconds lease, crashLimit, fixed, hook
   */
  public static void main(String[] args) throws InterruptedException {
    boolean fixed = Boolean.parseBoolean(argument(args, "fixed"));
    Standpipe standpipe =
        Standpipe.on(source(argument(args, "url")))
            .serve(pipeline(fixed))
            .name(argument(args, "name"))
            .concurrency(4)
            .lease(Duration.ofMillis(Long.parseLong(argument(args, "lease"))))
            .crashLimit(Integer.parseInt(argument(args, "crashLimit")))
            .start();
    if (Boolean.parseBoolean(argument(args, "hook"))) {
      Runtime.getRuntime().addShutdownHook(new Thread(standpipe::close, "close-standpipe"));
    }
    new CountDownLatch(1).await();
  }

  static DataSource source(String url) {
    if (!url.startsWith("jdbc:sqlite:")) {
      return PostgresServer.dataSource(url);
    }
    SQLiteDataSource file = new SQLiteDataSource();
    file.setUrl(url);
    return file;
  }

  static Pipeline<String, String> pipeline(boolean fixed) {
    return EngineFixture.single("poison", (text, ctx) -> fixed ? text : work(text, ctx));
  }

  private static String work(String text, StepContext ctx) throws InterruptedException {
    if (text.equals(HALT)) {
      Runtime.getRuntime().halt(7);
    }
    if (text.equals(EXIT)) {
      System.exit(0);
    }
    if (text.equals(HEAP)) {
      return text + exhaust();
    }
    EngineFixture.pause(Duration.ofMillis(100));
    return text + ctx.index();
  }

  private static int exhaust() {
    List<byte[]> all = new ArrayList<>();
    while (all.size() < Integer.MAX_VALUE) {
      all.add(new byte[1 << 20]);
    }
    return all.size();
  }
}
