package dev.standpipe.cli.runs;

import dev.standpipe.operate.Bulk;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe runs pause}. */
@Command(name = "pause", description = "Hold runs up that are running or waiting.")
final class PauseCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private BulkOptions options = new BulkOptions();

  @Override
  public void run() {
    options.run(spec.commandLine().getOut(), "paused", Bulk::pause);
  }
}
