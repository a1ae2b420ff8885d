package dev.standpipe.internal.coordinate;

import dev.standpipe.Divert;
import dev.standpipe.Each;
import dev.standpipe.EachDivert;
import dev.standpipe.Node;
import dev.standpipe.StepContext;
import dev.standpipe.definition.Strategy;
import dev.standpipe.internal.coordinate.RandomGraph.Bodies;
import dev.standpipe.internal.coordinate.Wiring.Aside;
import dev.standpipe.internal.coordinate.Wiring.Branch;
import dev.standpipe.internal.coordinate.Wiring.Vertex;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Adds diverts, for a run or for each element, whose arms each take the next few moves. */
final class DivertMoves {
  private final ModelNodes nodes;
  private final Bodies bodies;
  private final Wiring wiring;
  private final BiConsumer<Move, Iterator<Move>> play;

  DivertMoves(
      ModelNodes nodes, Bodies bodies, Wiring wiring, BiConsumer<Move, Iterator<Move>> play) {
    this.nodes = nodes;
    this.bodies = bodies;
    this.wiring = wiring;
    this.play = play;
  }

  /** What is wired on one arm is out of the others' sight. */
  void divert(Move move, Iterator<Move> further) {
    Vertex input = wiring.vertex(move.a());
    List<String> arms = arms(move);
    String key = nodes.addDivert(input.key(), arms, move.b());
    Divert<String> divert = divert(key, input);
    Aside aside = new Aside();
    List<String> ends = new ArrayList<>();
    Divert.Arms<String, String> wired = null;
    for (String arm : arms) {
      Function<Node<String>, Node<String>> moves =
          node -> {
            Vertex end = wiring.arm(input, aside, () -> play(key, arm, further));
            ends.add(end.key());
            return end.node();
          };
      wired = wired == null ? divert.on(arm, moves) : wired.on(arm, moves);
    }
    wiring.show(aside);
    wiring.add(nodes.addConverge(key, ends), wired.converge());
  }

  private Divert<String> divert(String key, Vertex input) {
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
              nodes.strategy(key, strategy);
            });
    return divert;
  }

  void eachDivert(Move move, Iterator<Move> further) {
    wiring.near(move.a()).ifPresent(from -> wiring.show(eachDivert(from, move, further)));
  }

  Branch eachDivert(Branch from, Move move, Iterator<Move> further) {
    List<String> arms = arms(move);
    String key = nodes.addDivertBelow(from.expand(), from.key(), arms, move.b());
    EachDivert<String> divert =
        from.each()
            .divert(key, (text, ctx) -> taken(key, ctx))
            .retry(bodies.retry(key))
            .timeout(bodies.timeout(key));
    List<String> ends = new ArrayList<>();
    EachDivert.EachArms<String, String> wired = null;
    for (String arm : arms) {
      Function<Each<String>, Each<String>> moves =
          each -> {
            Branch end = wiring.eachArm(from, () -> playForEach(key, arm, further));
            ends.add(end.key());
            return end.each();
          };
      wired = wired == null ? divert.on(arm, moves) : wired.on(arm, moves);
    }
    return new Branch(nodes.addConverge(key, ends), from.expand(), wired.converge());
  }

  private static List<String> arms(Move move) {
    List<String> arms = new ArrayList<>(List.of("a0", "a1", "a2").subList(0, 1 + move.size() % 3));
    arms.add("otherwise");
    return arms;
  }

  private String taken(String divert, StepContext ctx) throws Exception {
    String taken = nodes.arms().taken(new Model.Step(divert, ctx.index()));
    return bodies.arm(taken.equals("otherwise") ? "elsewhere" : taken, ctx);
  }

  private void play(String divert, String arm, Iterator<Move> further) {
    play(divert, arm, further, move -> move);
  }

  private void playForEach(String divert, String arm, Iterator<Move> further) {
    play(divert, arm, further, Move::forEach);
  }

  private void play(
      String divert, String arm, Iterator<Move> further, Function<Move, Move> fitting) {
    nodes.arms().enter(divert, arm);
    int length = Math.floorMod((divert + arm).hashCode(), 4);
    for (int i = 0; i < length && further.hasNext(); i++) {
      play.accept(fitting.apply(further.next()), further);
    }
    nodes.arms().leave(divert);
  }
}
