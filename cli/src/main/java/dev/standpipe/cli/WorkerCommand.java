package dev.standpipe.cli;

import dev.standpipe.cli.database.Address;
import dev.standpipe.cli.database.DatabaseOptions;
import dev.standpipe.supervisor.Supervisor;
import dev.standpipe.supervisor.SupervisorBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code standpipe worker}: child JVMs that serve a program's pipelines, under supervision. */
@Command(
    name = "worker",
    description = {
      "Run a program that serves pipelines in several processes. One that dies is replaced, and its"
          + " steps run elsewhere within a second; one that hangs is killed.",
      "The program finds the database in STANDPIPE_URL, STANDPIPE_USER and STANDPIPE_PASSWORD, and"
          + " closes its Standpipe in a shutdown hook."
    },
    footer = {
      "",
      "SIGTERM drains all processes and exits. SIGUSR2 has each of them print a thread dump (a JVM"
          + " keeps SIGQUIT to itself, so this one can only answer that for itself)."
    })
final class WorkerCommand implements Callable<Integer> {
  /** A worker is started when another one is gone, which may be in the middle of a failover. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Mixin private DatabaseOptions database = new DatabaseOptions(PATIENCE);

  @Option(
      names = "--main",
      required = true,
      paramLabel = "CLASS",
      description = "The class whose main method serves the pipelines.")
  private String main = "";

  @Option(
      names = {"--class-path", "-cp"},
      required = true,
      paramLabel = "PATH",
      description = "Its class path.")
  private String classPath = "";

  @Option(
      names = "--processes",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many processes, 1 to 1000; ${DEFAULT-VALUE} by default.")
  private int processes;

  @Option(
      names = "--jvm-option",
      paramLabel = "OPTION",
      description = "An option of the processes' JVMs, such as -Xmx512m; may be repeated.")
  private List<String> jvmOptions = List.of();

  @Option(
      names = "--grace",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "How long processes may take to stop; ${DEFAULT-VALUE} by default.")
  private int grace;

  @Option(names = "--schema", description = "The schema of the tables (PostgreSQL).")
  private Optional<String> schema = Optional.empty();

  @Option(
      names = "--table-prefix",
      defaultValue = "standpipe_",
      description = "What the tables' names start with; by default ${DEFAULT-VALUE}.")
  private String tablePrefix = "";

  @Parameters(paramLabel = "ARGUMENT", description = "What the main method is given.")
  private List<String> arguments = List.of();

  @Override
  public Integer call() throws InterruptedException {
    Address address = database.required();
    Map<String, String> environment = new HashMap<>();
    address.writeTo(environment);
    SupervisorBuilder builder =
        Supervisor.on(address.open())
            .main(main)
            .classPath(classPath)
            .processes(processes)
            .jvmOptions(jvmOptions)
            .arguments(arguments)
            .environment(environment)
            .grace(Duration.ofSeconds(Math.max(0, grace)))
            .connectTimeout(database.patience())
            .tablePrefix(tablePrefix);
    schema.ifPresent(builder::schema);
    Supervisor supervisor = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(supervisor::close, "drain"));
    Signals.on("USR2", supervisor::dumpThreads);
    new CountDownLatch(1).await();
    return 0;
  }
}
