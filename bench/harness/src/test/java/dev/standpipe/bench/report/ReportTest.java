package dev.standpipe.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.bench.contest.Entrant;
import dev.standpipe.bench.contest.Round;
import dev.standpipe.bench.contest.Workload;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportTest {
  @Test
  void theJsonHasAFigureForEachWorkloadAndContender() {
    JsonNode json = new JsonMapper().readTree(JsonWriter.write(Samples.report()));

    JsonNode chain = json.at("/workloads/chain");
    assertThat(chain.at("/standpipe/per_second").asDouble()).isEqualTo(70_000);
    assertThat(chain.at("/standpipe/per_second_min").asDouble()).isEqualTo(60_000);
    assertThat(chain.at("/standpipe/commits_per_step").asDouble()).isEqualTo(0.01);
    assertThat(chain.at("/quartz/cannot").asString()).isEqualTo("no reason at all");
    assertThat(json.at("/workloads/latency/standpipe/p50_ms").asDouble()).isEqualTo(2);
    assertThat(json.at("/workloads/latency/standpipe").has("per_second")).isFalse();
    assertThat(json.at("/machine/contenders/standpipe/version").asString()).isEqualTo("1");
  }

  @Test
  void latenciesCoverAllRounds() {
    Round quiet = new Round(Map.of(), List.of(1_000L, 1_000L, 1_000L));
    Round busy = new Round(Map.of(), List.of(5_000L));

    Result result = Result.of(Samples.workload("latency"), List.of(quiet, busy));

    assertThat(result.figure("p50_ms")).hasValue(1);
    assertThat(result.figure("p99_ms")).hasValue(5);
  }

  @Test
  void theMarkdownShowsMetAndMissedTargets() {
    String markdown = MarkdownWriter.write(Samples.report());

    assertThat(markdown)
        .contains("| `chain` vs raw | ≥ 0.6× | 0.7× | yes |")
        .contains("| `chain` | ≥ 60,000 steps/s | 70,000 steps/s | yes |")
        .contains("| `latency` p50, of the best peer's | ≤ 1× | 0.5× | yes |")
        .contains("| `latency` p99, of the best peer's | ≤ 1× | 1.5× | **no** |")
        .contains("|  | seconds | rounds |\n|---|---|---|\n| standpipe | 0.2500 |")
        .contains("- quartz: cannot, no reason at all")
        .contains("**standpipe** 1. as it comes");
  }

  @Test
  void aRatioNeedsBothSides() {
    Report report = Samples.report();

    assertThat(report.ratio("chain", Entrant.STANDPIPE, "chain", Entrant.RAW)).hasValue(0.7);
    assertThat(report.ratio("chain", Entrant.STANDPIPE, "chain", Entrant.QUARTZ)).isEmpty();
    assertThat(report.ratio("jobs", Entrant.STANDPIPE, "chain", Entrant.RAW)).isEmpty();
  }

  @Test
  void eachRoundIsComparedWithThePreviousCommit() {
    Report report = Samples.report();
    Workload chain = Samples.workload("chain");
    List<Round> now = List.of(Samples.round(50), Samples.round(97), Samples.round(80));
    List<Round> before = List.of(Samples.round(50), Samples.round(100), Samples.round(100));

    report.compare(chain, now, before);

    assertThat(report.comparisons()).containsExactly(new Comparison("chain", 0.97, 0.8, 1));
    assertThat(report.comparisons()).allMatch(Comparison::isKept);
    assertThat(MarkdownWriter.write(report)).contains("| `chain` | 0.970 | 0.800–1.000 | yes |");
  }

  @Test
  void aShorterLatencyCountsAsFaster() {
    Report report = Samples.report();
    List<Round> now = List.of(new Round(Map.of(), List.of(1_000L, 1_000L, 8_000L)));
    List<Round> before = List.of(new Round(Map.of(), List.of(2_000L, 2_000L, 4_000L)));

    report.compare(Samples.workload("latency"), now, before);

    assertThat(report.comparisons())
        .containsExactly(
            new Comparison("latency p50", 2, 2, 2), new Comparison("latency p99", 0.5, 0.5, 0.5));
    assertThat(MarkdownWriter.write(report))
        .contains("| `latency p99` | 0.500 | 0.500–0.500 | **no** |");
  }

  @Test
  void thePictureHasABarForEachRate() throws Exception {
    String svg = SvgWriter.write(Samples.report());

    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(2);
    assertThat(svg).contains(">70,000<").contains(">cannot<");
  }
}
