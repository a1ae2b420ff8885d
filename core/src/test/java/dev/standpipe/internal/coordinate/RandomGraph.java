package dev.standpipe.internal.coordinate;

import dev.standpipe.Each;
import dev.standpipe.Flow;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.StepFunction;
import dev.standpipe.definition.GraphNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A pipeline wired by a list of moves, and beside it the {@link Model} of what was wired. Any list
 * of moves makes a valid pipeline: numbers are taken modulo what there is to choose from.
 */
final class RandomGraph {
  private static final StepFunction<String, String> SAME = text -> text;

  /** What a move adds. */
  enum Kind {
    STEP,
    JOIN,
    ALL,
    AFTER,
    EXPAND,
    EACH_STEP,
    COLLAPSE
  }

  /**
   * One move.
   *
   * @param kind what it adds
   * @param a the first choice
   * @param b the second choice
   * @param size how many inputs or elements
   */
  record Move(Kind kind, int a, int b, int size) {}

  private record Vertex(String key, Node<String> node) {}

  private record Branch(String key, String expand, Each<String> each) {}

  private final Model model = new Model();
  private final List<Vertex> vertices = new ArrayList<>();
  private final List<Branch> branches = new ArrayList<>();
  private final Pipeline<String, String> pipeline;

  RandomGraph(List<Move> moves) {
    this.pipeline =
        Pipeline.define("random", String.class, String.class, flow -> wire(flow, moves));
  }

  Pipeline<String, String> pipeline() {
    return pipeline;
  }

  Model model() {
    return model;
  }

  private Node<String> wire(Flow<String> flow, List<Move> moves) {
    vertices.add(new Vertex(GraphNode.INPUT_KEY, flow.input()));
    moves.forEach(this::play);
    if (vertices.size() == 1) {
      step(0);
    }
    return vertices.get(vertices.size() - 1).node();
  }

  private void play(Move move) {
    switch (move.kind()) {
      case STEP -> step(move.a());
      case JOIN -> join(move);
      case ALL -> all(move);
      case AFTER -> after(move);
      case EXPAND -> expand(move);
      case EACH_STEP -> eachStep(move);
      case COLLAPSE -> collapse(move);
    }
  }

  private void step(int a) {
    Vertex input = vertex(a);
    String key = model.add(Model.Kind.ONCE, List.of(input.key()));
    vertices.add(new Vertex(key, input.node().step(key, String.class, SAME)));
  }

  private void join(Move move) {
    Vertex a = vertex(move.a());
    Vertex b = vertex(move.b());
    Vertex c = vertex(move.a() + move.b());
    Vertex d = vertex(move.a() * 31 + move.b());
    int width = 2 + move.size() % 3;
    String key =
        model.add(Model.Kind.ONCE, List.of(a.key(), b.key(), c.key(), d.key()).subList(0, width));
    Node<String> joined =
        switch (width) {
          case 2 -> Node.join(a.node(), b.node()).step(key, String.class, (x, y) -> x);
          case 3 -> Node.join(a.node(), b.node(), c.node()).step(key, String.class, (x, y, z) -> x);
          default ->
              Node.join(a.node(), b.node(), c.node(), d.node())
                  .step(key, String.class, (w, x, y, z) -> w);
        };
    vertices.add(new Vertex(key, joined));
  }

  private void all(Move move) {
    List<Vertex> inputs =
        IntStream.rangeClosed(0, move.size())
            .mapToObj(i -> vertex(move.a() + i * move.b()))
            .toList();
    String key = model.add(Model.Kind.ONCE, inputs.stream().map(Vertex::key).toList());
    Node<String> joined =
        Node.all(inputs.stream().map(Vertex::node).toList())
            .step(key, String.class, texts -> texts.get(0));
    vertices.add(new Vertex(key, joined));
  }

  /** Any two nodes, in either order of declaration, as long as there is no cycle. */
  private void after(Move move) {
    Vertex later = vertex(move.a());
    Vertex earlier = vertex(move.b());
    if (!later.key().equals(GraphNode.INPUT_KEY) && !model.leadsTo(later.key(), earlier.key())) {
      later.node().after(earlier.node());
      model.order(earlier.key(), later.key());
    }
  }

  private void expand(Move move) {
    Vertex input = vertex(move.a());
    String key = model.addExpand(input.key(), move.size());
    branches.add(
        new Branch(key, key, input.node().expand(key, String.class, text -> List.of(text))));
  }

  private void eachStep(Move move) {
    if (!branches.isEmpty()) {
      Branch from = branches.get(move.a() % branches.size());
      String key = model.addBelow(from.expand(), from.key());
      branches.add(new Branch(key, from.expand(), from.each().step(key, String.class, SAME)));
    }
  }

  private void collapse(Move move) {
    if (!branches.isEmpty()) {
      Branch from = branches.get(move.a() % branches.size());
      String key = model.add(Model.Kind.ONCE, List.of(from.key()));
      vertices.add(new Vertex(key, from.each().collapse(key, String.class, texts -> texts.get(0))));
    }
  }

  private Vertex vertex(int choice) {
    return vertices.get(Math.floorMod(choice, vertices.size()));
  }
}
