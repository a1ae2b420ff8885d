package dev.standpipe.cli.runs;

import dev.standpipe.operate.Bulk;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe runs rerun}. */
@Command(name = "rerun", description = "Start a new run on the input of each.")
final class RerunCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private BulkOptions options = new BulkOptions();

  @Override
  public void run() {
    options.run(spec.commandLine().getOut(), "started again", Bulk::rerun);
  }
}
