package dev.standpipe.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {
  @Test
  void everyWorkloadOfTheIssueIsInTheFullPlan() {
    assertThat(Plan.full().stream().map(Workload::group).distinct())
        .contains(
            "jobs",
            "chain",
            "fan",
            "diamond",
            "loop",
            "latency",
            "start",
            "backlog",
            "snapshot",
            "recover",
            "processes",
            "pipelines",
            "schedules",
            "transactional",
            "outbox",
            "idle",
            "payload",
            "sqlite",
            "graph10k",
            "expand100k");
  }

  @Test
  void namesAreUniqueAndStandpipeRunsEveryWorkload() {
    for (List<Workload> plan : List.of(Plan.full(), Plan.quick(), Plan.smoke())) {
      assertThat(plan.stream().map(Workload::name)).doesNotHaveDuplicates();
      assertThat(plan).allMatch(workload -> workload.sizes().containsKey(Entrant.STANDPIPE));
    }
  }
}
