package dev.standpipe.internal.coordinate;

import dev.standpipe.Node;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.internal.coordinate.RandomGraph.Bodies;
import dev.standpipe.internal.coordinate.Wiring.Branch;
import dev.standpipe.internal.coordinate.Wiring.Vertex;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Adds steps, of one input or several, and puts nodes in order. */
final class StepMoves {
  private final ModelNodes nodes;
  private final Bodies bodies;
  private final Wiring wiring;

  StepMoves(ModelNodes nodes, Bodies bodies, Wiring wiring) {
    this.nodes = nodes;
    this.bodies = bodies;
    this.wiring = wiring;
  }

  void step(int a) {
    Vertex input = wiring.vertex(a);
    String key = nodes.addStep(input.key());
    wiring.add(
        key,
        Model.isLoop(key)
            ? input.node().loop(key, String.class, bodies::turn).keep(RandomGraph.KEPT)
            : input
                .node()
                .step(
                    key,
                    String.class,
                    bodies.<String>body(key, (x, ctx) -> bodies.value(Arrays.asList(x), ctx))));
  }

  void join(Move move) {
    Vertex a = wiring.vertex(move.a());
    Vertex b = wiring.vertex(move.b());
    Vertex c = wiring.vertex(move.a() + move.b());
    Vertex d = wiring.vertex(move.a() * 31 + move.b());
    int width = 2 + move.size() % 3;
    String key =
        nodes.add(Model.Kind.ONCE, List.of(a.key(), b.key(), c.key(), d.key()).subList(0, width));
    Node<String> joined =
        switch (width) {
          case 2 ->
              Node.join(a.node(), b.node())
                  .step(key, String.class, (x, y, ctx) -> bodies.value(Arrays.asList(x, y), ctx));
          case 3 ->
              Node.join(a.node(), b.node(), c.node())
                  .step(
                      key,
                      String.class,
                      (x, y, z, ctx) -> bodies.value(Arrays.asList(x, y, z), ctx));
          default ->
              Node.join(a.node(), b.node(), c.node(), d.node())
                  .step(
                      key,
                      String.class,
                      (w, x, y, z, ctx) -> bodies.value(Arrays.asList(w, x, y, z), ctx));
        };
    wiring.add(key, joined);
  }

  void all(Move move) {
    List<Vertex> inputs =
        IntStream.rangeClosed(0, move.size())
            .mapToObj(i -> wiring.vertex(move.a() + i * move.b()))
            .toList();
    String key = nodes.add(Model.Kind.ONCE, inputs.stream().map(Vertex::key).toList());
    Node<String> joined =
        Node.all(inputs.stream().map(Vertex::node).toList())
            .step(
                key,
                String.class,
                bodies.<List<String>>body(key, (texts, ctx) -> bodies.value(texts, ctx)));
    wiring.add(key, joined);
  }

  /** Any two nodes, in either order of declaration, as long as there is no cycle. */
  void after(Move move) {
    Vertex later = wiring.vertex(move.a());
    Vertex earlier = wiring.vertex(move.b());
    if (!later.key().equals(GraphNode.INPUT_KEY)
        && !nodes.leadsTo(later.key(), earlier.key())
        && !nodes.arms().areApart(later.key(), earlier.key())) {
      later.node().after(earlier.node());
      nodes.order(earlier.key(), later.key());
    }
  }

  /** Not on an arm for the elements of an expand outside of it. */
  void eachStep(Move move) {
    wiring.near(move.a()).ifPresent(this::eachStep);
  }

  private void eachStep(Branch from) {
    String key = nodes.addStepBelow(from.expand(), from.key());
    wiring.add(
        key,
        from.expand(),
        Model.isLoop(key)
            ? from.each().loop(key, String.class, bodies::turn).keep(RandomGraph.KEPT)
            : from.each()
                .step(
                    key,
                    String.class,
                    bodies.<String>body(key, (x, ctx) -> bodies.value(Arrays.asList(x), ctx))));
  }
}
