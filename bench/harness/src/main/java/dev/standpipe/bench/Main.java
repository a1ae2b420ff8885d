package dev.standpipe.bench;

import dev.standpipe.bench.contest.Arena;
import dev.standpipe.bench.contest.Contest;
import dev.standpipe.bench.contest.Entrant;
import dev.standpipe.bench.contest.Plan;
import dev.standpipe.bench.contest.Processes;
import dev.standpipe.bench.contest.Progress;
import dev.standpipe.bench.contest.Workload;
import dev.standpipe.bench.report.Comparison;
import dev.standpipe.bench.report.JsonWriter;
import dev.standpipe.bench.report.Machine;
import dev.standpipe.bench.report.MarkdownWriter;
import dev.standpipe.bench.report.Report;
import dev.standpipe.bench.report.SvgWriter;
import dev.standpipe.bench.server.Gauge;
import dev.standpipe.bench.server.OwnServer;
import dev.standpipe.bench.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code standpipe bench}. */
@Command(
    name = "standpipe bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures Standpipe side by side with its peers, on a PostgreSQL of its own.",
      "Without options it measures everything, in about 25 minutes."
    })
public final class Main implements Callable<Integer> {
  private static final double SMOKE_RATIO = 0.4;
  private static final int REPEATS = 3;
  private static final int SMOKE_REPEATS = 5;
  private static final int AGAINST_REPEATS = 7;
  private static final List<String> AGAINST_WORKLOADS =
      List.of("jobs", "chain", "fan", "diamond", "latency");

  @Spec private CommandSpec spec = CommandSpec.create();

  @ArgGroup private Size size = new Size();

  @Option(names = "--url", paramLabel = "URL", description = "A PostgreSQL server to use instead.")
  private @Nullable String url;

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "NAME",
      description = "Only these, or groups of them.")
  private List<String> workloads = List.of();

  @Option(names = "--contenders", split = ",", paramLabel = "NAME", description = "Only these.")
  private List<String> contenders = List.of();

  @Option(
      names = "--against",
      paramLabel = "REV",
      description = {
        "Build this commit of Standpipe, too, and measure it beside the code at hand: jobs, chain, fan, diamond and"
            + " latency unless --workloads says otherwise. Exits with 1 if one is below 0.97 of it."
      })
  private @Nullable String against;

  @Option(names = "--repeats", paramLabel = "N", description = "Rounds of each; 3 by default.")
  private @Nullable Integer repeats;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the results as JSON.")
  private @Nullable Path json;

  @Option(names = "--markdown", paramLabel = "FILE", description = "Write them as Markdown.")
  private @Nullable Path markdown;

  @Option(names = "--picture", paramLabel = "FILE", description = "Draw them as SVG.")
  private @Nullable Path picture;

  /** How much to measure. */
  private static final class Size {
    @Option(names = "--quick", description = "The main workloads, small, in 3 minutes.")
    private boolean quick;

    @Option(
        names = "--smoke",
        description = "Only whether chain reaches 0.4 of raw, in a minute; exits with 1 if not.")
    private boolean smoke;
  }

  /** Runs the command and exits with its code. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    List<Workload> chosen = chosenWorkloads();
    List<Entrant> entrants = chosenEntrants();
    Progress progress = new Progress(System.err);
    progress.tell(url == null ? "Starting PostgreSQL ..." : "Connecting ...");
    try (Server server = url == null ? OwnServer.start() : Server.at(url);
        Gauge gauge = new Gauge(server);
        Processes processes = new Processes(home(), !size.smoke)) {
      Machine here = Machine.here(gauge);
      Report report = new Report(against == null ? here : here.with("before", against));
      Arena arena = new Arena(server, gauge, processes, new AtomicInteger());
      Contest contest = new Contest(arena, progress, report);
      for (Workload workload : chosen) {
        progress.tell(workload.name() + ": " + workload.title());
        contest.run(workload, entrants, rounds(workload));
        // What is known so far is worth keeping if the rest is not waited for.
        write(report);
      }
      progress.tell("Done.");
      return verdict(report);
    }
  }

  /** Where the contenders are. The script that starts this has built the older commit. */
  private Processes.Home home() {
    Path now = Path.of(System.getProperty("bench.home", "bench"));
    if (against == null) {
      return new Processes.Home(now, Optional.empty());
    }
    @Nullable String before = System.getProperty("bench.against");
    if (before == null) {
      throw new ParameterException(
          spec.commandLine(), "--against needs ./standpipe bench, which builds the other commit");
    }
    return new Processes.Home(now, Optional.of(Path.of(before)));
  }

  private int rounds(Workload workload) {
    if (repeats != null) {
      return repeats;
    }
    return workload.repeats().orElse(repeats());
  }

  private int repeats() {
    if (size.smoke) {
      return SMOKE_REPEATS;
    }
    return against == null ? REPEATS : AGAINST_REPEATS;
  }

  private List<Workload> chosenWorkloads() {
    List<Workload> named = namedWorkloads();
    if (against == null) {
      return named;
    }
    return named.stream()
        .filter(workload -> !workloads.isEmpty() || AGAINST_WORKLOADS.contains(workload.name()))
        .map(Workload::withBefore)
        .toList();
  }

  private List<Workload> namedWorkloads() {
    List<Workload> all = new ArrayList<>(plan());
    if (!workloads.isEmpty()) {
      all.addAll(Plan.onDemand());
    }
    List<Workload> chosen =
        all.stream()
            .filter(
                workload ->
                    workloads.isEmpty()
                        || workloads.contains(workload.name())
                        || workloads.contains(workload.group()))
            .toList();
    for (String name : workloads) {
      if (all.stream().noneMatch(w -> w.name().equals(name) || w.group().equals(name))) {
        throw new ParameterException(
            spec.commandLine(),
            "No workload \""
                + name
                + "\". There are: "
                + all.stream().map(Workload::name).toList());
      }
    }
    return chosen;
  }

  private List<Workload> plan() {
    if (size.smoke) {
      return Plan.smoke();
    }
    return size.quick ? Plan.quick() : Plan.full();
  }

  private List<Entrant> chosenEntrants() {
    for (String name : contenders) {
      if (Entrant.named(name).isEmpty()) {
        throw new ParameterException(
            spec.commandLine(),
            "No contender \""
                + name
                + "\". There are: "
                + Arrays.stream(Entrant.values()).map(Entrant::title).toList());
      }
    }
    if (contenders.contains(Entrant.BEFORE.title()) && against == null) {
      throw new ParameterException(
          spec.commandLine(), "Say which commit \"before\" is: --against REV");
    }
    return Arrays.stream(Entrant.values()).filter(this::takesPart).toList();
  }

  private boolean takesPart(Entrant entrant) {
    if (entrant == Entrant.BEFORE || (entrant == Entrant.STANDPIPE && against != null)) {
      return against != null;
    }
    return contenders.isEmpty() ? against == null : contenders.contains(entrant.title());
  }

  private void write(Report report) throws IOException {
    if (json != null) {
      Files.writeString(json, JsonWriter.write(report));
    }
    if (markdown != null) {
      Files.writeString(markdown, MarkdownWriter.write(report));
    }
    if (picture != null) {
      Files.writeString(picture, SvgWriter.write(report));
    }
    if (json == null && markdown == null && report.workloads().size() == expected()) {
      System.out.print(MarkdownWriter.write(report));
    }
  }

  private int expected() {
    return chosenWorkloads().size();
  }

  private int verdict(Report report) {
    if (size.smoke) {
      return smokeVerdict(report);
    }
    boolean kept = report.comparisons().stream().allMatch(Comparison::isKept);
    for (Comparison comparison : report.comparisons()) {
      System.err.printf(
          Locale.ROOT,
          "%-14s %.3f of before (%.3f–%.3f)%s%n",
          comparison.what(),
          comparison.ratio(),
          comparison.least(),
          comparison.most(),
          comparison.isKept() ? "" : ", BELOW " + Comparison.BOUND);
    }
    return kept ? 0 : 1;
  }

  private static int smokeVerdict(Report report) {
    OptionalDouble ratio = report.ratio("chain", Entrant.STANDPIPE, "chain", Entrant.RAW);
    boolean good = ratio.orElse(0) >= SMOKE_RATIO;
    System.err.printf(
        Locale.ROOT,
        "chain reaches %.2f of raw, %s %.1f%n",
        ratio.orElse(0),
        good ? "at least" : "BELOW",
        SMOKE_RATIO);
    return good ? 0 : 1;
  }
}
