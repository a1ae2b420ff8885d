package dev.standpipe.bench.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShapeTest {
  @Test
  void aShapeKnowsItsStepCount() {
    assertThat(Shape.chain(5).steps()).isEqualTo(5);
    assertThat(new Shape(Shape.Kind.FAN, 1_000, 0).steps()).isEqualTo(1_002);
    assertThat(new Shape(Shape.Kind.DIAMOND, 8, 0).steps()).isEqualTo(10);
    assertThat(new Shape(Shape.Kind.LANES, 99, 0).steps()).isEqualTo(10_000);
  }

  @Test
  void aShapeSurvivesTheWire() {
    Shape shape = new Shape(Shape.Kind.DIAMOND, 8, 100);

    assertThat(Shape.parse(shape.toString())).isEqualTo(shape);
  }

  @Test
  void aPayloadKeepsItsSizeFromStepToStep() {
    String first = Payload.first(3, 1_000);

    assertThat(Payload.next(first)).hasSize(1_000).isNotEqualTo(first);
    assertThat(Payload.first(4, 1_000)).isNotEqualTo(first);
  }
}
