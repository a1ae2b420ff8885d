package dev.standpipe.cli.outbox;

import dev.standpipe.outbox.Outbox;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe outbox replay}. */
@Command(name = "replay", description = "Have a dead letter tried again.")
final class ReplayCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ChosenLetter letter = new ChosenLetter();

  @Override
  public void run() {
    letter.decide(spec.commandLine().getOut(), "to be tried again:", Outbox::replay);
  }
}
