package dev.standpipe.cli.demo;

import dev.standpipe.Standpipe;
import dev.standpipe.cli.database.Address;
import dev.standpipe.spi.Event;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A worker of the demo: serves the pipeline until its standard input ends. */
@Command(name = "demo-worker", hidden = true, description = "Serve the demo's pipeline.")
public final class DemoWorkerCommand implements Callable<Integer> {
  /** Short, so that the demo need not wait for long. */
  static final Duration LEASE = Duration.ofSeconds(3);

  private static final int BODIES = 8;

  @Option(names = "--name", required = true)
  private String name = "";

  @Option(names = "--table-prefix", required = true)
  private String tablePrefix = "";

  @Option(names = "--ledger", required = true)
  private Path ledgerFile = Path.of("");

  @Override
  public Integer call() throws IOException {
    PrintStream parent = System.out;
    try (Ledger ledger = Ledger.open(ledgerFile)) {
      Standpipe standpipe =
          Standpipe.on(Address.readFrom(System.getenv()).open())
              .serve(OrderPipeline.define(new Workshop(ledger)))
              .name(name)
              .tablePrefix(tablePrefix)
              .lease(LEASE)
              .concurrency(BODIES)
              .grace(Duration.ofSeconds(2))
              .listener(event -> tell(parent, event))
              .start();
      try (standpipe) {
        parent.println(new WorkerEvent.Ready().line());
        awaitEndOfInput();
      }
    }
    return 0;
  }

  private static void awaitEndOfInput() throws IOException {
    while (System.in.read() >= 0) {
      // the parent has nothing to say; it only closes
    }
  }

  private static void tell(PrintStream parent, Event event) {
    if (event instanceof Event.StaleWriteBlocked stale) {
      Event.Step step = stale.step();
      parent.println(new WorkerEvent.Stale(step.node(), step.index(), step.token()).line());
    } else if (event instanceof Event.ProcessReaped reaped) {
      parent.println(new WorkerEvent.Reaped(reaped.processName(), reaped.tasks()).line());
    }
  }
}
