package dev.standpipe.cli.runs;

import dev.standpipe.operate.Bulk;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe runs revive}. */
@Command(
    name = "revive",
    description = "Let runs go on that have ended halted, failed or canceled.")
final class ReviveCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private BulkOptions options = new BulkOptions();

  @Override
  public void run() {
    options.run(spec.commandLine().getOut(), "revived", Bulk::revive);
  }
}
