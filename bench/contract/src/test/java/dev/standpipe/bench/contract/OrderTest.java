package dev.standpipe.bench.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OrderTest {
  @Test
  void anOrderSurvivesTheWire() {
    Order order =
        new Order(
                Trial.Kind.DRAIN,
                "jdbc:postgresql://localhost:5432/db?user=a&password=b=c",
                Shape.chain(5).withBytes(1_024),
                Map.of())
            .with(Order.RUNS, 10)
            .with(Order.LIMIT_MS, 2_000);

    assertThat(Order.parse(order.toLine())).isEqualTo(order);
  }

  @Test
  void aMissingNumberTakesTheDefault() {
    Order order = new Order(Trial.Kind.START, "", Shape.JOB, Map.of());

    assertThat(order.number(Order.BATCH, 7)).isEqualTo(7);
  }
}
