package dev.standpipe.internal.coordinate;

import dev.standpipe.Each;
import dev.standpipe.Node;
import dev.standpipe.internal.coordinate.RandomGraph.Bodies;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is wired and in sight, so that a move can go on from it. */
final class Wiring {
  /** A node that runs once. */
  record Vertex(String key, Node<String> node) {}

  /** A node that runs for each element of an expand. */
  record Branch(String key, String expand, Each<String> each) {}

  /** What is on arms, out of sight until their divert is converged. */
  record Aside(List<Vertex> vertices, List<Branch> branches) {
    Aside() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  private final ModelNodes nodes;
  private final Bodies bodies;
  private final List<Vertex> vertices = new ArrayList<>();
  private final List<Branch> branches = new ArrayList<>();
  private int firstBranch;

  Wiring(ModelNodes nodes, Bodies bodies) {
    this.nodes = nodes;
    this.bodies = bodies;
  }

  /** Sets a node up as its bodies say. */
  void add(String key, Node<String> node) {
    node.retry(bodies.retry(key)).timeout(bodies.timeout(key)).delay(bodies.delay(key));
    if (nodes.kind(key) != Model.Kind.CONVERGE) {
      bodies.strategy(key).ifPresent(node::strategy);
      bodies.strategy(key).ifPresent(strategy -> nodes.strategy(key, strategy));
    }
    if (nodes.kind(key) == Model.Kind.ONCE && nodes.hasBody(key)) {
      bodies.compensation(key).ifPresent(node::compensate);
    }
    show(new Vertex(key, node));
  }

  /** Sets a node for elements up as its bodies say. */
  void add(String key, String expand, Each<String> each) {
    each.retry(bodies.retry(key)).timeout(bodies.timeout(key)).delay(bodies.delay(key));
    if (!key.equals(expand) && nodes.hasBody(key)) {
      bodies.compensation(key).ifPresent(each::compensate);
    }
    bodies.strategy(key).ifPresent(each::strategy);
    bodies.strategy(key).ifPresent(strategy -> nodes.strategy(key, strategy));
    show(new Branch(key, expand, each));
  }

  void show(Vertex vertex) {
    vertices.add(vertex);
  }

  void show(Branch branch) {
    branches.add(branch);
  }

  void show(Aside aside) {
    vertices.addAll(aside.vertices());
    branches.addAll(aside.branches());
  }

  /** Whether there is nothing but the input. */
  boolean isBare() {
    return vertices.size() == 1;
  }

  Vertex last() {
    return vertices.get(vertices.size() - 1);
  }

  Vertex vertex(int choice) {
    return vertices.get(Math.floorMod(choice, vertices.size()));
  }

  /** Any there is, to be brought together. */
  Optional<Branch> branch(int choice) {
    return oneOf(branches, choice);
  }

  /** One on the same arm and the same side of a barrier, to go on for each of its elements. */
  Optional<Branch> near(int choice) {
    return oneOf(near(), choice);
  }

  private List<Branch> near() {
    return branches.subList(firstBranch, branches.size());
  }

  private static Optional<Branch> oneOf(List<Branch> some, int choice) {
    return some.isEmpty() ? Optional.empty() : Optional.of(some.get(choice % some.size()));
  }

  /** What an element goes through is on one side of a barrier. */
  void separate() {
    firstBranch = branches.size();
  }

  /**
   * Wires an arm, puts aside what is on it, and says what it ends with: its last node, or what was
   * diverted if it has none.
   */
  Vertex arm(Vertex input, Aside aside, Runnable moves) {
    int firstVertex = vertices.size();
    int outerBranch = firstBranch;
    int opening = branches.size();
    firstBranch = opening;
    moves.run();
    List<Vertex> wired = vertices.subList(firstVertex, vertices.size());
    Vertex end = wired.isEmpty() ? input : wired.get(wired.size() - 1);
    aside.vertices().addAll(wired);
    wired.clear();
    List<Branch> opened = branches.subList(opening, branches.size());
    aside.branches().addAll(opened);
    opened.clear();
    firstBranch = outerBranch;
    return end;
  }

  /**
   * Wires an arm for elements and says what it ends with. It may begin with anything that its
   * elements have. What is on it is never in sight again: only some elements have it.
   */
  Branch eachArm(Branch from, Runnable moves) {
    int outerBranch = firstBranch;
    List<Branch> had =
        near().stream().filter(branch -> branch.expand().equals(from.expand())).toList();
    firstBranch = branches.size();
    branches.addAll(had);
    branches.add(from);
    moves.run();
    Branch end = branches.get(branches.size() - 1);
    near().clear();
    firstBranch = outerBranch;
    return end;
  }
}
