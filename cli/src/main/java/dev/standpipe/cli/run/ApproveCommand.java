package dev.standpipe.cli.run;

import dev.standpipe.cli.database.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe run approve}. */
@Command(name = "approve", description = "Say yes to what a run asks a person.")
final class ApproveCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();
  @Mixin private Answer answer = new Answer();

  @Override
  public void run() {
    target.with(
        standpipe ->
            answer.confirm(
                spec.commandLine().getOut(),
                "approved",
                standpipe
                    .operator(answer.by())
                    .approve(answer.run(), answer.key(), answer.index(), answer.comment())));
  }
}
