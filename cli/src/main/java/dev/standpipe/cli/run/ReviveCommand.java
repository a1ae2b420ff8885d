package dev.standpipe.cli.run;

import dev.standpipe.cli.database.Target;
import dev.standpipe.operate.Revive;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code standpipe run revive}. */
@Command(
    name = "revive",
    description =
        "Let a halted, failed or canceled run go on; what has finished is not done again.")
final class ReviveCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();
  @Mixin private Decision decision = new Decision();

  @Option(names = "--only", paramLabel = "NODE", description = "Only if no other node has failed.")
  private Optional<String> only = Optional.empty();

  @Option(
      names = "--retry-limit",
      paramLabel = "N",
      description = "How often the steps that start again may be retried.")
  private Optional<Integer> retryLimit = Optional.empty();

  @Override
  public void run() {
    UUID run = decision.run();
    Revive what = only.map(Revive::only).orElse(Revive.all());
    Revive options = retryLimit.map(what::retryLimit).orElse(what);
    target.with(s -> s.operator(decision.by()).revive(run, decision.reason(), options));
    decision.confirm(spec.commandLine().getOut(), "revived", "only", only.orElse(""), "it goes on");
  }
}
