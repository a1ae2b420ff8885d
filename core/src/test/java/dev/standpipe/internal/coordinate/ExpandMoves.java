package dev.standpipe.internal.coordinate;

import dev.standpipe.Each;
import dev.standpipe.Node;
import dev.standpipe.StepBody;
import dev.standpipe.internal.coordinate.Move.Kind;
import dev.standpipe.internal.coordinate.RandomGraph.Bodies;
import dev.standpipe.internal.coordinate.Wiring.Branch;
import dev.standpipe.internal.coordinate.Wiring.Vertex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Adds expands, whole ones inside others too, and what collapses them again. */
final class ExpandMoves {
  private final ModelNodes nodes;
  private final Bodies bodies;
  private final Wiring wiring;
  private final DivertMoves diverts;

  ExpandMoves(ModelNodes nodes, Bodies bodies, Wiring wiring, DivertMoves diverts) {
    this.nodes = nodes;
    this.bodies = bodies;
    this.wiring = wiring;
    this.diverts = diverts;
  }

  void expand(Move move) {
    Vertex input = wiring.vertex(move.a());
    String key = nodes.addExpand(input.key(), move.size());
    wiring.add(key, key, expand(key, input.node(), move));
  }

  private Each<String> expand(String key, Node<String> input, Move move) {
    StepBody<String, List<String>> elements = (x, ctx) -> bodies.elements(x, move.size(), ctx);
    return switch (move.b() % 4) {
      case 0 ->
          input
              .expandStream(key, String.class, (x, ctx) -> elements.run(x, ctx).stream())
              .window(1 + move.a() % 3);
      case 1 ->
          input
              .expandFrom(key, String.class, (x, at, ctx) -> elements.run(x, ctx).listIterator(at))
              .window(1 + move.a() % 3);
      default -> input.expand(key, String.class, elements);
    };
  }

  void collapse(Move move) {
    wiring.branch(move.a()).ifPresent(this::collapse);
  }

  private void collapse(Branch from) {
    String key = nodes.add(Model.Kind.ONCE, List.of(from.key()));
    wiring.add(
        key,
        from.each()
            .collapse(
                key,
                String.class,
                bodies.<List<String>>body(key, (texts, ctx) -> bodies.value(texts, ctx))));
  }

  void expandInside(Move move) {
    int depth = 1 + move.b() % 2;
    wiring.near(move.a()).ifPresent(from -> wiring.show(inside(from, move, depth)));
  }

  /** Expands, goes on for each element, deeper at times, and collapses again. */
  private Branch inside(Branch from, Move move, int depth) {
    String expand = nodes.addExpandInside(from.expand(), from.key(), move.size());
    List<String> end = new ArrayList<>();
    Each<String> each =
        from.each()
            .expand(
                expand,
                String.class,
                (x, ctx) ->
                    bodies.elements(x, nodes.elements(new Model.Step(expand, ctx.index())), ctx),
                inner -> {
                  inner
                      .limit(ModelNodes.WIDTH)
                      .retry(bodies.retry(expand))
                      .timeout(bodies.timeout(expand));
                  Branch last = forEach(new Branch(expand, expand, inner), move, depth);
                  String key = nodes.addCollapseInside(from.expand(), last.key());
                  end.add(key);
                  return last.each()
                      .collapse(key, String.class, (texts, ctx) -> bodies.value(texts, ctx))
                      .retry(bodies.retry(key))
                      .timeout(bodies.timeout(key));
                });
    return new Branch(end.get(0), from.expand(), each);
  }

  private Branch forEach(Branch element, Move move, int depth) {
    Branch at = element;
    for (int i = 0; i < move.b() % 3; i++) {
      at = below(at);
    }
    if (move.a() % 3 == 0) {
      at = diverts.eachDivert(at, move, onArms(move, depth).iterator());
    }
    return depth > 1 ? inside(at, move, depth - 1) : at;
  }

  private static List<Move> onArms(Move move, int depth) {
    Kind kind = depth > 1 ? Kind.EXPAND_INSIDE : Kind.EACH_STEP;
    return List.of(
        new Move(kind, 1, 0, move.size()),
        new Move(Kind.EACH_STEP, move.b(), 0, 0),
        new Move(Kind.EACH_DELAY, move.b(), 0, 0));
  }

  private Branch below(Branch from) {
    String key = nodes.addBelow(from.expand(), from.key());
    Each<String> each =
        from.each()
            .step(key, String.class, (x, ctx) -> bodies.value(Arrays.asList(x), ctx))
            .retry(bodies.retry(key))
            .timeout(bodies.timeout(key));
    return new Branch(key, from.expand(), each);
  }
}
