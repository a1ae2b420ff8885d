package dev.standpipe.cli.outbox;

import dev.standpipe.outbox.Outbox;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe outbox discard}. */
@Command(name = "discard", description = "Give a dead letter up for good.")
final class DiscardCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ChosenLetter letter = new ChosenLetter();

  @Override
  public void run() {
    letter.decide(spec.commandLine().getOut(), "discarded", Outbox::discard);
  }
}
