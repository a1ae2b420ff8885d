package dev.standpipe.internal.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.definition.NodeKind;
import java.util.List;
import net.jqwik.api.Property;

/** The graphs that the other properties are tried on. */
class RandomGraphProperties {
  /** Without this, a generator gone dull would go unnoticed. */
  @Property(tries = 1)
  void theGraphsAreOfEveryShape() {
    List<RandomGraph> sample =
        new RandomMoves().get().sampleStream().limit(500).map(RandomGraph::new).toList();
    assertThat(sample).anyMatch(g -> g.pipeline().graph().nodes().size() > 25);
    assertThat(sample).anyMatch(g -> g.pipeline().graph().endNeed() > 3);
    assertThat(sample).anyMatch(g -> g.model().count(Model.Kind.EXPAND) > 2);
    assertThat(sample).anyMatch(g -> g.model().count(Model.Kind.PER_ELEMENT) > 3);
    assertThat(sample)
        .anyMatch(g -> g.pipeline().graph().nodes().stream().anyMatch(n -> n.after().size() > 1));
    assertThat(sample).as("expands inside expands").anyMatch(g -> depth(g) == 2);
    assertThat(sample).as("expands inside those").anyMatch(g -> depth(g) > 2);
    assertThat(sample).anyMatch(g -> g.model().count(Model.Kind.DIVERT) > 2);
    assertThat(sample).anyMatch(g -> g.model().keys().stream().filter(Model::isDelay).count() > 2);
    assertThat(sample).anyMatch(g -> g.model().keys().stream().filter(Model::isLoop).count() > 2);
    assertThat(sample).anyMatch(g -> g.model().count(Model.Kind.BARRIER) > 1);
    assertThat(sample).anyMatch(g -> g.model().awaits().size() > 3);
    assertThat(sample).as("barriers on arms").anyMatch(RandomGraphProperties::hasBarrierOnAnArm);
    assertThat(sample).as("diverts within arms").anyMatch(RandomGraphProperties::hasNestedDivert);
    assertThat(sample)
        .as("arms for elements")
        .anyMatch(g -> g.model().skippedElements().size() > 3);
    assertThat(sample)
        .as("expands on arms for elements")
        .anyMatch(RandomGraphProperties::skipsExpandInside);
    assertThat(sample)
        .as("joins outside of all arms that are skipped")
        .anyMatch(RandomGraphProperties::skipsOutsideOfArms);
  }

  private static boolean hasBarrierOnAnArm(RandomGraph random) {
    return random.pipeline().graph().nodes().stream()
        .anyMatch(n -> n.kind() == NodeKind.BARRIER && n.arm() != null);
  }

  private static boolean skipsExpandInside(RandomGraph random) {
    return random.model().skippedElements().stream()
        .anyMatch(step -> random.model().kind(step.key()) == Model.Kind.EXPAND);
  }

  private static int depth(RandomGraph random) {
    int deepest = 0;
    for (String key : random.model().keys()) {
      int depth = 0;
      for (String at = key; !random.model().expand(at).isEmpty(); depth++) {
        at = random.model().expand(at);
      }
      deepest = Math.max(deepest, depth);
    }
    return deepest;
  }

  private static boolean hasNestedDivert(RandomGraph random) {
    return random.pipeline().graph().nodes().stream()
        .anyMatch(n -> n.kind() == NodeKind.DIVERT && n.arm() != null);
  }

  private static boolean skipsOutsideOfArms(RandomGraph random) {
    return random.pipeline().graph().nodes().stream()
        .anyMatch(
            n -> n.arm() == null && n.inputs().size() > 1 && random.model().isSkipped(n.key()));
  }
}
