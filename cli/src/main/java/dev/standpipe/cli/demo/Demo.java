package dev.standpipe.cli.demo;

import static dev.standpipe.cli.demo.Words.counted;

import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.cli.database.Address;
import dev.standpipe.cli.database.CleanUp;
import dev.standpipe.cli.database.EmbeddedServer;
import dev.standpipe.cli.database.GivenDatabase;
import dev.standpipe.cli.database.OwnDatabase;
import dev.standpipe.cli.database.Reachability;
import dev.standpipe.cli.database.TemporarySqlite;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** The demo from beginning to end. */
final class Demo {
  private static final Duration UNTIL_SERVING = Duration.ofSeconds(60);

  private final Settings settings;
  private final Screen screen;
  private final CleanUp cleanUp;

  Demo(Settings settings, Screen screen, CleanUp cleanUp) {
    this.settings = settings;
    this.screen = screen;
    this.cleanUp = cleanUp;
  }

  /**
   * What the user has chosen.
   *
   * @param given a database of the user's, if there is one
   * @param embeddedPostgres whether to start a PostgreSQL
   * @param patience how long to wait for the user's database to answer
   * @param orders how many orders
   * @param workers how many workers
   */
  record Settings(
      Optional<Address> given,
      boolean embeddedPostgres,
      Duration patience,
      int orders,
      int workers) {}

  Summary run() throws IOException, SQLException, InterruptedException {
    long startedAt = System.nanoTime();
    Path directory = cleanUp.newDirectory();
    OwnDatabase database = openDatabase(directory);
    WorkerProcess.Site site = new WorkerProcess.Site(database, directory);
    DataSource source = database.address().open();
    if (source instanceof AutoCloseable pool) {
      cleanUp.add(pool);
    }
    DemoTables tables = new DemoTables(source, database.tablePrefix());
    List<Order> orders = Order.several(settings.orders());
    startRuns(source, site, orders);
    Workers workers = cleanUp.add(new Workers(site, screen));
    watch(orders, tables, workers);
    workers.stop();
    Findings findings = Audit.of(orders, tables.evidence(), Ledger.read(site.ledger()));
    double seconds = (System.nanoTime() - startedAt) / 1e9;
    return new Summary(database.name(), findings, workers.staleWrites(), seconds);
  }

  private OwnDatabase openDatabase(Path directory) {
    if (settings.given().isPresent()) {
      GivenDatabase database = GivenDatabase.at(settings.given().get(), "demo");
      new Reachability(database.address(), settings.patience(), screen::say).require();
      return cleanUp.add(database);
    }
    if (settings.embeddedPostgres()) {
      screen.say("starting an embedded PostgreSQL");
      return cleanUp.open(() -> EmbeddedServer.in(directory));
    }
    return cleanUp.add(TemporarySqlite.in(directory));
  }

  private void startRuns(DataSource source, WorkerProcess.Site site, List<Order> orders)
      throws IOException {
    try (Ledger unused = Ledger.open(site.ledger());
        Standpipe client =
            Standpipe.on(source).name("demo").tablePrefix(site.database().tablePrefix()).start()) {
      client.startAll(
          OrderPipeline.define(new Workshop(unused)), orders, order -> RunOptions.key(order.key()));
    }
    screen.say(
        "%s started on %s".formatted(counted(orders.size(), "order"), site.database().name()));
  }

  private void watch(List<Order> orders, DemoTables tables, Workers workers)
      throws InterruptedException {
    for (int i = 0; i < settings.workers(); i++) {
      workers.start();
    }
    screen.say("%d workers starting".formatted(settings.workers()));
    try (Monitor monitor = cleanUp.add(new Monitor(orders, tables, workers, screen)).start()) {
      monitor.await(() -> !workers.serving().isEmpty(), UNTIL_SERVING);
      new Mishaps(workers, tables, monitor, screen).happen();
      monitor.awaitUnlessComplete(() -> false);
    }
  }
}
