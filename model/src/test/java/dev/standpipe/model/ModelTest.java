package dev.standpipe.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.model.Checker.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * TLC finds nothing wrong with the specifications, and something wrong with each of their twins: a
 * check that accepts everything would fail here.
 */
class ModelTest {
  private static final Path CODE =
      Checker.MODELS.resolve("../../core/src/main/java/dev/standpipe/internal").normalize();
  private static final Map<String, Integer> SMALLEST = Map.of("Lease", 20_000, "FanIn", 5_000);

  @TempDir private Path scratch;

  /** A rule replaced by another, and what TLC must find. */
  record Twin(String module, String config, String error) {}

  static List<Twin> twins() {
    String lease = "LeaseTwins";
    String fanIn = "FanInTwins";
    return List.of(
        new Twin(lease, "LeaseWithoutToken", "Invariant AtMostOneResult is violated."),
        new Twin(lease, "LeaseTokenStays", "Invariant TokenCoversOneStep is violated."),
        new Twin(
            lease, "LeaseReaperWritesWhatItRead", "Invariant CommittedNeverRerun is violated."),
        new Twin(lease, "LeaseWithoutOrphans", "Temporal properties were violated."),
        new Twin(fanIn, "FanInWithoutWaiting", "Invariant NeverZeroTimes is violated."),
        new Twin(fanIn, "FanInInAnyOrder", "Deadlock reached."),
        new Twin(fanIn, "FanInElementsUncounted", "Invariant NeverEarly is violated."));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Lease", "FanIn"})
  void aSpecificationHolds(String module) {
    Verdict verdict = new Checker(scratch).check(module, module);
    assertThat(verdict.says("Model checking completed. No error has been found."))
        .as(verdict.report())
        .isTrue();
    assertThat(verdict.states())
        .as("a space this small would mean that something can no longer happen")
        .isGreaterThan(SMALLEST.get(module));
  }

  @ParameterizedTest
  @MethodSource("twins")
  void aTwinIsRejected(Twin twin) {
    Verdict verdict = new Checker(scratch).check(twin.module(), twin.config());
    assertThat(verdict.says("Error: " + twin.error())).as(verdict.report()).isTrue();
  }

  @Test
  void everyConfigurationIsChecked() throws IOException {
    Set<String> checked = new TreeSet<>(SMALLEST.keySet());
    twins().forEach(twin -> checked.add(twin.config()));
    try (Stream<Path> files = Files.list(Checker.MODELS)) {
      assertThat(
              files
                  .map(file -> file.getFileName().toString())
                  .filter(name -> name.endsWith(".cfg"))
                  .map(name -> name.replace(".cfg", "")))
          .containsExactlyInAnyOrderElementsOf(checked);
    }
  }

  @Test
  void thePackagesNameTheirSpecifications() {
    Map<String, List<String>> named =
        Map.of(
            "engine", List.of("Lease.tla"),
            "coordinate", List.of("FanIn.tla"),
            "store", List.of("Lease.tla", "FanIn.tla"));
    named.forEach(
        (name, specifications) ->
            assertThat(CODE.resolve(name).resolve("package-info.java"))
                .content()
                .contains(specifications));
  }
}
