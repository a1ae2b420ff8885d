package dev.standpipe.bench.raw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.bench.TestServer;
import dev.standpipe.bench.contract.Order;
import dev.standpipe.bench.contract.Rehearsal;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Trial;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The bare loop is a yardstick only if it writes all it should. */
class RawContenderTest {
  private static final int RUNS = 300;

  @Test
  void aChainLeavesAResultForEveryStepAndItsInput() throws Exception {
    String url = drain(Shape.chain(5));

    assertThat(results(url)).isEqualTo(RUNS * 6L);
    assertThat(
            TestServer.number(
                url,
                "select count(*) from raw_result r where node = 'step-4'"
                    + " and value::int - 5 = (select value::int from raw_result i"
                    + " where i.run_id = r.run_id and i.node = '$input')"))
        .isEqualTo(RUNS);
    assertThat(
            TestServer.number(
                url, "select count(*) from raw_result where node = 'step-4'" + " and token = 5"))
        .as("the token rises with the claim and each hand-over")
        .isEqualTo(RUNS);
  }

  @Test
  void aDiamondJoinsAllItsBranchesOnce() throws Exception {
    String url = drain(new Shape(Shape.Kind.DIAMOND, 8, 0));

    assertThat(results(url)).isEqualTo(RUNS * 11L);
    assertThat(TestServer.number(url, "select count(*) from raw_result where node = 'join'"))
        .isEqualTo(RUNS);
    assertThat(
            TestServer.number(
                url,
                "select count(*) from raw_result r where node = 'join'"
                    + " and value::int = (select sum(value::int) from raw_result b"
                    + " where b.run_id = r.run_id and b.node like 'branch-%')"))
        .isEqualTo(RUNS);
  }

  @Test
  void aFanKeepsItsElementsAndCollapsesThemOnce() throws Exception {
    String url = drain(new Shape(Shape.Kind.FAN, 50, 0));

    assertThat(results(url)).isEqualTo(RUNS * (1 + 1 + 50 + 50 + 1L));
    assertThat(
            TestServer.number(
                url,
                "select count(*) from raw_result r where node = 'sum'"
                    + " and value::int = (select sum(value::int) from raw_result b"
                    + " where b.run_id = r.run_id and b.node = 'work')"))
        .isEqualTo(RUNS);
  }

  @Test
  void eachStepHasATransactionWithARowOfItsOwn() throws Exception {
    String url = drain(new Shape(Shape.Kind.BOOKINGS, 3, 0));

    assertThat(TestServer.number(url, "select count(*) from booking")).isEqualTo(RUNS * 3L);
    assertThat(TestServer.number(url, "select count(distinct xmin::text) from booking"))
        .isEqualTo(RUNS * 3L);
  }

  private static String drain(Shape shape) throws Exception {
    String url = TestServer.emptyDatabase();
    Order order = new Order(Trial.Kind.DRAIN, url, shape, Map.of()).with(Order.RUNS, RUNS);
    assertThat(Rehearsal.of(new RawContender(), order))
        .contains("\"units\":" + RUNS * shape.steps());
    assertThat(TestServer.number(url, "select count(*) from raw_run where status = 'succeeded'"))
        .isEqualTo(RUNS);
    assertThat(TestServer.number(url, "select count(*) from raw_task")).isZero();
    return url;
  }

  private static long results(String url) throws Exception {
    return TestServer.number(url, "select count(*) from raw_result");
  }
}
