package dev.standpipe.cli.runs;

import dev.standpipe.operate.Bulk;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe runs resume}. */
@Command(name = "resume", description = "Let paused runs go on.")
final class ResumeCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private BulkOptions options = new BulkOptions();

  @Override
  public void run() {
    options.run(spec.commandLine().getOut(), "resumed", Bulk::resume);
  }
}
