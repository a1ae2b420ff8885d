package dev.standpipe.internal.coordinate;

import dev.standpipe.Await;
import dev.standpipe.Divert;
import dev.standpipe.Each;
import dev.standpipe.EachAwait;
import dev.standpipe.EachDivert;
import dev.standpipe.EffectBody;
import dev.standpipe.Flow;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.StepBody;
import dev.standpipe.StepContext;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.Strategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A pipeline wired by a list of moves, and beside it the {@link Model} of what was wired. Any list
 * of moves makes a valid pipeline: numbers are taken modulo what there is to choose from.
 */
public final class RandomGraph {
  /** What the steps do and how they are set up. */
  public interface Bodies {
    /** The value of a step. */
    String value(List<String> inputs, StepContext ctx) throws Exception;

    /** So many elements. */
    List<String> elements(String input, int count, StepContext ctx) throws Exception;

    /** The arm to take, which is this one. */
    default String arm(String arm, StepContext ctx) throws Exception {
      return arm;
    }

    /** Says what follows the end of a run. */
    default void follow(Flow<String> flow) {}

    /** How a step is undone, if it is. */
    default Optional<EffectBody<String>> compensation(String key) {
      return Optional.empty();
    }

    /** What happens when a step fails. */
    default Retry retry(String key) {
      return Retry.standard();
    }

    /** What a failure means, for all steps. */
    default Strategy strategy() {
      return Strategy.HALT;
    }

    /** Whether a failure may not halt, so that no expand may be inside another or read a stream. */
    default boolean goesOn() {
      return strategy() != Strategy.HALT;
    }

    /** What the failure of a step means, if it says so. */
    default Optional<Strategy> strategy(String key) {
      return Optional.empty();
    }

    /** How long a step waits before it begins. */
    default Duration delay(String key) {
      return Duration.ZERO;
    }

    /** The value of the only step of a run that is called. */
    default String called(String input, StepContext ctx) throws Exception {
      return "called on " + input;
    }

    /** How long an await waits that expires. */
    default Duration within(String key) {
      return Duration.ofSeconds(5);
    }

    /** How long a step may take. */
    default Duration timeout(String key) {
      return Duration.ofHours(1);
    }
  }

  /** The only step of what calls call. */
  public static final String CALLED = "called";

  /** What an await that expired goes on with. */
  public static final String OTHERWISE = "no signal";

  private static final Bodies NOT_RUN =
      new Bodies() {
        @Override
        public String value(List<String> inputs, StepContext ctx) {
          return inputs.get(0);
        }

        @Override
        public List<String> elements(String input, int count, StepContext ctx) {
          return Collections.nCopies(count, input);
        }
      };

  /** What a move adds. */
  public enum Kind {
    STEP,
    JOIN,
    ALL,
    AFTER,
    EXPAND,
    EACH_STEP,
    COLLAPSE,
    DIVERT,
    DELAY,
    EACH_DELAY,
    BARRIER,
    AWAIT,
    EACH_AWAIT,
    CALL,
    EACH_CALL,
    EXPAND_INSIDE,
    EACH_DIVERT;

    /** What can be for each element, in the place of what cannot. */
    Kind forEach() {
      return switch (this) {
        case STEP, JOIN, ALL, AFTER, EXPAND, COLLAPSE, BARRIER, EACH_STEP -> EACH_STEP;
        case DIVERT, EACH_DIVERT -> EACH_DIVERT;
        case DELAY, EACH_DELAY -> EACH_DELAY;
        case AWAIT, EACH_AWAIT -> EACH_AWAIT;
        case CALL, EACH_CALL -> EACH_CALL;
        case EXPAND_INSIDE -> EXPAND_INSIDE;
      };
    }
  }

  /**
   * One move.
   *
   * @param kind what it adds
   * @param a the first choice
   * @param b the second choice
   * @param size how many inputs or elements
   */
  public record Move(Kind kind, int a, int b, int size) {}

  private record Vertex(String key, Node<String> node) {}

  /** What is on arms, out of sight until their divert is converged. */
  private record Aside(List<Vertex> vertices, List<Branch> branches) {}

  private record Branch(String key, String expand, Each<String> each) {}

  private final Model model = new Model();
  private final List<Vertex> vertices = new ArrayList<>();
  private final List<Branch> branches = new ArrayList<>();
  private Flow<String> flow;
  private int firstBranch;
  private final Bodies bodies;
  private final Pipeline<String, String> called;
  private final Pipeline<String, String> pipeline;

  RandomGraph(List<Move> moves) {
    this("random", moves, NOT_RUN);
  }

  /** With strategies that go on after failures, for the pipeline and for some of its steps. */
  static RandomGraph lenient(List<Move> moves, long seed) {
    return new RandomGraph("random", moves, new Lenient(seed));
  }

  private record Lenient(long seed) implements Bodies {
    @Override
    public String value(List<String> inputs, StepContext ctx) throws Exception {
      return NOT_RUN.value(inputs, ctx);
    }

    @Override
    public List<String> elements(String input, int count, StepContext ctx) throws Exception {
      return NOT_RUN.elements(input, count, ctx);
    }

    @Override
    public Strategy strategy() {
      return seed % 2 == 0 ? Strategy.CONTINUE : Strategy.IGNORE;
    }

    @Override
    public Optional<Strategy> strategy(String key) {
      int dice = new Random(seed * 31 + key.hashCode()).nextInt(4);
      return dice < 2
          ? Optional.empty()
          : Optional.of(dice == 2 ? Strategy.CONTINUE : Strategy.IGNORE);
    }
  }

  /** A pipeline of this name that runs these bodies. */
  public RandomGraph(String name, List<Move> moves, Bodies bodies) {
    this.bodies = bodies;
    this.called =
        Pipeline.define(
            name + "-called",
            String.class,
            String.class,
            flow -> flow.input().step(CALLED, String.class, bodies::called));
    this.pipeline = Pipeline.define(name, String.class, String.class, flow -> wire(flow, moves));
  }

  /** What was wired. */
  public Pipeline<String, String> pipeline() {
    return pipeline;
  }

  /** What it must do. */
  public Model model() {
    return model;
  }

  private Node<String> wire(Flow<String> flow, List<Move> moves) {
    this.flow = flow;
    bodies.follow(flow);
    vertices.add(new Vertex(GraphNode.INPUT_KEY, flow.input()));
    flow.strategy(bodies.strategy());
    model.strategy(bodies.strategy());
    Iterator<Move> all = moves.iterator();
    while (all.hasNext()) {
      play(all.next(), all);
    }
    if (vertices.size() == 1) {
      step(0);
    }
    return vertices.get(vertices.size() - 1).node();
  }

  private void play(Move move, Iterator<Move> further) {
    switch (move.kind()) {
      case STEP -> step(move.a());
      case JOIN -> join(move);
      case ALL -> all(move);
      case AFTER -> after(move);
      case EXPAND -> expand(move);
      case EACH_STEP -> eachStep(move);
      case COLLAPSE -> collapse(move);
      case DIVERT -> divert(move, further);
      case DELAY -> delay(move);
      case EACH_DELAY -> eachDelay(move);
      case BARRIER -> barrier();
      case EXPAND_INSIDE -> {
        if (bodies.goesOn()) {
          eachStep(move);
        } else {
          expandInside(move);
        }
      }
      case AWAIT -> await(move);
      case EACH_AWAIT -> eachAwait(move);
      case CALL -> call(move);
      case EACH_CALL -> eachCall(move);
      case EACH_DIVERT -> {
        if (bodies.goesOn()) {
          eachStep(move);
        } else {
          eachDivert(move, further);
        }
      }
    }
  }

  private void step(int a) {
    Vertex input = vertex(a);
    String key = model.add(Model.Kind.ONCE, List.of(input.key()));
    add(key, input.node().step(key, String.class, (x, ctx) -> bodies.value(Arrays.asList(x), ctx)));
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
    add(key, joined);
  }

  private void all(Move move) {
    List<Vertex> inputs =
        IntStream.rangeClosed(0, move.size())
            .mapToObj(i -> vertex(move.a() + i * move.b()))
            .toList();
    String key = model.add(Model.Kind.ONCE, inputs.stream().map(Vertex::key).toList());
    Node<String> joined =
        Node.all(inputs.stream().map(Vertex::node).toList())
            .step(key, String.class, (texts, ctx) -> bodies.value(texts, ctx));
    add(key, joined);
  }

  /** Any two nodes, in either order of declaration, as long as there is no cycle. */
  private void after(Move move) {
    Vertex later = vertex(move.a());
    Vertex earlier = vertex(move.b());
    if (!later.key().equals(GraphNode.INPUT_KEY)
        && !model.leadsTo(later.key(), earlier.key())
        && !model.areArmsApart(later.key(), earlier.key())) {
      later.node().after(earlier.node());
      model.order(earlier.key(), later.key());
    }
  }

  private void expand(Move move) {
    Vertex input = vertex(move.a());
    String key = model.addExpand(input.key(), move.size());
    StepBody<String, List<String>> elements = (x, ctx) -> bodies.elements(x, move.size(), ctx);
    Each<String> each =
        switch (bodies.goesOn() ? 2 : move.b() % 4) {
          case 0 ->
              input
                  .node()
                  .expandStream(key, String.class, (x, ctx) -> elements.run(x, ctx).stream())
                  .window(1 + move.a() % 3);
          case 1 ->
              input
                  .node()
                  .expandFrom(
                      key, String.class, (x, at, ctx) -> elements.run(x, ctx).listIterator(at))
                  .window(1 + move.a() % 3);
          default -> input.node().expand(key, String.class, elements);
        };
    add(key, key, each);
  }

  /** Not on an arm for the elements of an expand outside of it. */
  private void eachStep(Move move) {
    List<Branch> near = branches.subList(firstBranch, branches.size());
    if (!near.isEmpty()) {
      Branch from = near.get(move.a() % near.size());
      String key = model.addBelow(from.expand(), from.key());
      add(
          key,
          from.expand(),
          from.each().step(key, String.class, (x, ctx) -> bodies.value(Arrays.asList(x), ctx)));
    }
  }

  private void expandInside(Move move) {
    List<Branch> near = branches.subList(firstBranch, branches.size());
    if (!near.isEmpty()) {
      Branch from = near.get(move.a() % near.size());
      int depth = 1 + move.b() % 2;
      Wired<Each<String>> inside = inside(from, move, depth);
      branches.add(new Branch(inside.key(), from.expand(), inside.wired()));
    }
  }

  private record Wired<W>(String key, W wired) {}

  /** Expands, goes on for each element, deeper at times, and collapses again. */
  private Wired<Each<String>> inside(Branch from, Move move, int depth) {
    String expand = model.addExpandInside(from.expand(), from.key(), move.size());
    List<String> end = new ArrayList<>();
    Each<String> each =
        from.each()
            .expand(
                expand,
                String.class,
                (x, ctx) ->
                    bodies.elements(x, model.elements(new Model.Step(expand, ctx.index())), ctx),
                inner -> {
                  inner
                      .limit(Model.WIDTH)
                      .retry(bodies.retry(expand))
                      .timeout(bodies.timeout(expand));
                  Branch at = new Branch(expand, expand, inner);
                  for (int i = 0; i < move.b() % 3; i++) {
                    at = below(at);
                  }
                  if (move.a() % 3 == 0) {
                    at = eachDivert(at, move, onArms(move, depth).iterator());
                  }
                  if (depth > 1) {
                    Wired<Each<String>> deeper = inside(at, move, depth - 1);
                    at = new Branch(deeper.key(), expand, deeper.wired());
                  }
                  String key = model.addCollapseInside(from.expand(), at.key());
                  end.add(key);
                  return at.each()
                      .collapse(key, String.class, (texts, ctx) -> bodies.value(texts, ctx))
                      .retry(bodies.retry(key))
                      .timeout(bodies.timeout(key));
                });
    return new Wired<>(end.get(0), each);
  }

  private static List<Move> onArms(Move move, int depth) {
    Kind kind = depth > 1 ? Kind.EXPAND_INSIDE : Kind.EACH_STEP;
    return List.of(
        new Move(kind, 1, 0, move.size()),
        new Move(Kind.EACH_STEP, move.b(), 0, 0),
        new Move(Kind.EACH_DELAY, move.b(), 0, 0));
  }

  private Branch below(Branch from) {
    String key = model.addBelow(from.expand(), from.key());
    Each<String> each =
        from.each()
            .step(key, String.class, (x, ctx) -> bodies.value(Arrays.asList(x), ctx))
            .retry(bodies.retry(key))
            .timeout(bodies.timeout(key));
    return new Branch(key, from.expand(), each);
  }

  private void collapse(Move move) {
    if (!branches.isEmpty()) {
      Branch from = branches.get(move.a() % branches.size());
      String key = model.add(Model.Kind.ONCE, List.of(from.key()));
      add(key, from.each().collapse(key, String.class, (texts, ctx) -> bodies.value(texts, ctx)));
    }
  }

  private void delay(Move move) {
    Vertex input = vertex(move.a());
    String key = model.addDelay(input.key());
    add(key, input.node().delay(key, bodies.delay(key)));
  }

  private void eachDelay(Move move) {
    List<Branch> near = branches.subList(firstBranch, branches.size());
    if (!near.isEmpty()) {
      Branch from = near.get(move.a() % near.size());
      String key = model.addDelayBelow(from.expand(), from.key());
      add(key, from.expand(), from.each().delay(key, bodies.delay(key)));
    }
  }

  private void await(Move move) {
    Vertex input = vertex(move.a());
    boolean expires = move.b() % 2 == 0;
    String key = model.awaiting(model.add(Model.Kind.ONCE, List.of(input.key())), expires);
    Await<String, String> await = input.node().await(key, String.class);
    Node<String> node = expires ? await.within(bodies.within(key)).orElse(OTHERWISE) : await;
    vertices.add(new Vertex(key, node));
  }

  private void eachAwait(Move move) {
    List<Branch> near = branches.subList(firstBranch, branches.size());
    if (!near.isEmpty()) {
      Branch from = near.get(move.a() % near.size());
      boolean expires = move.b() % 2 == 0;
      String key = model.awaiting(model.addBelow(from.expand(), from.key()), expires);
      EachAwait<String, String> await = from.each().await(key, String.class);
      Each<String> each = expires ? await.within(bodies.within(key)).orElse(OTHERWISE) : await;
      branches.add(new Branch(key, from.expand(), each));
    }
  }

  private void call(Move move) {
    Vertex input = vertex(move.a());
    String key = model.calling(model.add(Model.Kind.ONCE, List.of(input.key())));
    vertices.add(new Vertex(key, input.node().call(key, called)));
  }

  private void eachCall(Move move) {
    List<Branch> near = branches.subList(firstBranch, branches.size());
    if (!near.isEmpty()) {
      Branch from = near.get(move.a() % near.size());
      String key = model.calling(model.addBelow(from.expand(), from.key()));
      branches.add(new Branch(key, from.expand(), from.each().call(key, called)));
    }
  }

  /** What an element goes through is on one side of it. */
  private void barrier() {
    flow.barrier(model.addBarrier());
    firstBranch = branches.size();
  }

  /** Each arm takes the next few moves; what is wired on one is out of the others' sight. */
  private void divert(Move move, Iterator<Move> further) {
    Vertex input = vertex(move.a());
    List<String> arms = arms(move);
    String key = model.addDivert(input.key(), arms, move.b());
    Divert<String> divert =
        input
            .node()
            .divert(key, (text, ctx) -> taken(key, ctx))
            .retry(bodies.retry(key))
            .timeout(bodies.timeout(key));
    bodies
        .strategy(key)
        .filter(strategy -> strategy != Strategy.IGNORE)
        .ifPresent(
            strategy -> {
              divert.strategy(strategy);
              model.strategy(key, strategy);
            });
    Aside aside = new Aside(new ArrayList<>(), new ArrayList<>());
    List<String> ends = new ArrayList<>();
    Divert.Arms<String, String> wired = null;
    for (String arm : arms) {
      Function<Node<String>, Node<String>> wiring =
          node -> {
            Vertex end = arm(key, arm, input, further, aside);
            ends.add(end.key());
            return end.node();
          };
      wired = wired == null ? divert.on(arm, wiring) : wired.on(arm, wiring);
    }
    vertices.addAll(aside.vertices());
    branches.addAll(aside.branches());
    add(model.addConverge(key, ends), wired.converge());
  }

  private static List<String> arms(Move move) {
    List<String> arms = new ArrayList<>(List.of("a0", "a1", "a2").subList(0, 1 + move.size() % 3));
    arms.add("otherwise");
    return arms;
  }

  private String taken(String divert, StepContext ctx) throws Exception {
    String taken = model.taken(new Model.Step(divert, ctx.index()));
    return bodies.arm(taken.equals("otherwise") ? "elsewhere" : taken, ctx);
  }

  private void eachDivert(Move move, Iterator<Move> further) {
    List<Branch> near = branches.subList(firstBranch, branches.size());
    if (!near.isEmpty()) {
      branches.add(eachDivert(near.get(move.a() % near.size()), move, further));
    }
  }

  /** What is wired on an arm is never in sight again: only some elements have it. */
  private Branch eachDivert(Branch from, Move move, Iterator<Move> further) {
    List<String> arms = arms(move);
    String key = model.addDivertBelow(from.expand(), from.key(), arms, move.b());
    EachDivert<String> divert =
        from.each()
            .divert(key, (text, ctx) -> taken(key, ctx))
            .retry(bodies.retry(key))
            .timeout(bodies.timeout(key));
    List<String> ends = new ArrayList<>();
    EachDivert.Arms<String, String> wired = null;
    for (String arm : arms) {
      Function<Each<String>, Each<String>> wiring =
          each -> {
            Branch end = eachArm(key, arm, from, further);
            ends.add(end.key());
            return end.each();
          };
      wired = wired == null ? divert.on(arm, wiring) : wired.on(arm, wiring);
    }
    return new Branch(model.addConverge(key, ends), from.expand(), wired.converge());
  }

  /** An arm may begin with anything that its elements have. */
  private Branch eachArm(String divert, String arm, Branch from, Iterator<Move> further) {
    int outerBranch = firstBranch;
    List<Branch> near =
        branches.subList(firstBranch, branches.size()).stream()
            .filter(branch -> branch.expand().equals(from.expand()))
            .toList();
    firstBranch = branches.size();
    branches.addAll(near);
    branches.add(from);
    model.enter(divert, arm);
    int length = Math.floorMod((divert + arm).hashCode(), 4);
    for (int i = 0; i < length && further.hasNext(); i++) {
      Move move = further.next();
      play(new Move(move.kind().forEach(), move.a(), move.b(), move.size()), further);
    }
    model.leave(divert);
    Branch end = branches.get(branches.size() - 1);
    branches.subList(firstBranch, branches.size()).clear();
    firstBranch = outerBranch;
    return end;
  }

  /**
   * Wires an arm, puts aside what is on it, and says what it ends with: its last node, or what was
   * diverted if it has none.
   */
  private Vertex arm(String divert, String arm, Vertex input, Iterator<Move> further, Aside aside) {
    int firstVertex = vertices.size();
    int outerBranch = firstBranch;
    int opening = branches.size();
    firstBranch = opening;
    model.enter(divert, arm);
    int length = Math.floorMod((divert + arm).hashCode(), 4);
    for (int i = 0; i < length && further.hasNext(); i++) {
      play(further.next(), further);
    }
    model.leave(divert);
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

  private void add(String key, Node<String> node) {
    node.retry(bodies.retry(key)).timeout(bodies.timeout(key)).delay(bodies.delay(key));
    if (model.kind(key) != Model.Kind.CONVERGE) {
      bodies.strategy(key).ifPresent(node::strategy);
      bodies.strategy(key).ifPresent(strategy -> model.strategy(key, strategy));
    }
    if (model.kind(key) == Model.Kind.ONCE && model.hasBody(key)) {
      bodies.compensation(key).ifPresent(node::compensate);
    }
    vertices.add(new Vertex(key, node));
  }

  private void add(String key, String expand, Each<String> each) {
    each.retry(bodies.retry(key)).timeout(bodies.timeout(key)).delay(bodies.delay(key));
    if (!key.equals(expand) && model.hasBody(key)) {
      bodies.compensation(key).ifPresent(each::compensate);
    }
    bodies.strategy(key).ifPresent(each::strategy);
    bodies.strategy(key).ifPresent(strategy -> model.strategy(key, strategy));
    branches.add(new Branch(key, expand, each));
  }

  private Vertex vertex(int choice) {
    return vertices.get(Math.floorMod(choice, vertices.size()));
  }
}
