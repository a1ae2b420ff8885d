package dev.standpipe.cli;

import dev.standpipe.cli.demo.DemoCommand;
import dev.standpipe.cli.demo.DemoWorkerCommand;
import dev.standpipe.cli.drill.DrillCommand;
import dev.standpipe.cli.drill.DrillWorkerCommand;
import dev.standpipe.cli.outbox.OutboxCommand;
import dev.standpipe.cli.pipeline.PipelineCommand;
import dev.standpipe.cli.quarantine.QuarantineCommand;
import dev.standpipe.cli.run.RunCommand;
import dev.standpipe.cli.runs.RunsCommand;
import dev.standpipe.cli.schedules.SchedulesCommand;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * Entry point of the {@code standpipe} command. Exits with 0 if all went well, 1 if it did not, 2
 * if it was called in a wrong way.
 */
@Command(
    name = "standpipe",
    description = "Durable pipelines on the relational database you already have.",
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      WorkerCommand.class,
      DoctorCommand.class,
      CheckCommand.class,
      DrillCommand.class,
      SchemaCommand.class,
      QuarantineCommand.class,
      RunCommand.class,
      RunsCommand.class,
      PipelineCommand.class,
      SchedulesCommand.class,
      OutboxCommand.class,
      VersionCommand.class,
      DemoWorkerCommand.class,
      DrillWorkerCommand.class
    },
    footer = {
      "",
      "Start with: @|bold standpipe demo|@",
      "In a source tree, @|bold ./standpipe bench|@ measures it beside its peers."
    })
public final class Main implements Runnable {
  /** The driver warns of URLs that it cannot read by repeating them, with their passwords. */
  private static final Logger DRIVER = Logger.getLogger("org.postgresql");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help and exit.")
  @SuppressWarnings("unused") // picocli acts on it
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print the version and exit.")
  @SuppressWarnings("unused") // picocli acts on it
  private boolean version;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Show stack traces and warnings in full.")
  private boolean verbose;

  /** Runs the command and exits with its code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command, ready to execute. */
  public static CommandLine commandLine() {
    DRIVER.setLevel(Level.OFF);
    Main main = new Main();
    return new CommandLine(main)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(new Misuse())
        .setExecutionExceptionHandler(new FailureReport(() -> main.verbose));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Name a command.");
  }
}
