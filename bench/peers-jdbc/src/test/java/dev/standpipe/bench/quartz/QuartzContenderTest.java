package dev.standpipe.bench.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.bench.contract.Order;
import dev.standpipe.bench.contract.Rehearsal;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Trial;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuartzContenderTest {
  @Test
  void chainsAndPayloadsAreDrained() throws Exception {
    try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
      String url = server.getJdbcUrl("postgres", "postgres");

      assertThat(drain(url, Shape.chain(2), 20)).contains("\"units\":40,");
      assertThat(drain(url, Shape.chain(2).withBytes(1_000), 10)).contains("\"units\":20,");
    }
  }

  @Test
  void quartzCannotFanIn() {
    assertThat(new QuartzContender().cannot(Trial.Kind.DRAIN, new Shape(Shape.Kind.DIAMOND, 8, 0)))
        .isPresent();
  }

  private static String drain(String url, Shape shape, int runs) throws Exception {
    Order order = new Order(Trial.Kind.DRAIN, url, shape, Map.of()).with(Order.RUNS, runs);
    return Rehearsal.of(new QuartzContender(), order);
  }
}
