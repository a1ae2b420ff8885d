package dev.standpipe.internal.coordinate;

import dev.standpipe.Flow;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.internal.coordinate.RandomGraph.Bodies;
import java.util.Iterator;
import java.util.List;

/** Plays moves, one after the other: each adds to a flow, and the same to its model. */
final class MovePlayer {
  private final Bodies bodies;
  private final Wiring wiring;
  private final StepMoves steps;
  private final ExpandMoves expands;
  private final DivertMoves diverts;
  private final WaitMoves waits;

  MovePlayer(Flow<String> flow, ModelNodes nodes, Bodies bodies, Pipeline<String, String> called) {
    this.bodies = bodies;
    wiring = new Wiring(nodes, bodies);
    steps = new StepMoves(nodes, bodies, wiring);
    diverts = new DivertMoves(nodes, bodies, wiring, this::play);
    expands = new ExpandMoves(nodes, bodies, wiring, diverts);
    waits = new WaitMoves(flow, nodes, bodies, wiring, called);
    bodies.follow(flow);
    wiring.show(new Wiring.Vertex(GraphNode.INPUT_KEY, flow.input()));
    flow.strategy(bodies.strategy());
    nodes.strategy(bodies.strategy());
  }

  /** Plays them all and says what the flow ends with. */
  Node<String> play(List<Move> moves) {
    Iterator<Move> all = moves.iterator();
    while (all.hasNext()) {
      play(all.next(), all);
    }
    if (wiring.isBare()) {
      steps.step(0);
    }
    return wiring.last().node();
  }

  private void play(Move move, Iterator<Move> further) {
    switch (move.kind()) {
      case STEP -> steps.step(move.a());
      case JOIN -> steps.join(move);
      case ALL -> steps.all(move);
      case AFTER -> steps.after(move);
      case EXPAND -> expands.expand(move);
      case EACH_STEP -> steps.eachStep(move);
      case COLLAPSE -> expands.collapse(move);
      case DIVERT -> diverts.divert(move, further);
      case DELAY -> waits.delay(move);
      case EACH_DELAY -> waits.eachDelay(move);
      case BARRIER -> waits.barrier();
      case EXPAND_INSIDE -> {
        if (bodies.goesOn()) {
          steps.eachStep(move);
        } else {
          expands.expandInside(move);
        }
      }
      case AWAIT -> waits.await(move);
      case EACH_AWAIT -> waits.eachAwait(move);
      case CALL -> waits.call(move);
      case EACH_CALL -> waits.eachCall(move);
      case EACH_DIVERT -> {
        if (bodies.goesOn()) {
          steps.eachStep(move);
        } else {
          diverts.eachDivert(move, further);
        }
      }
    }
  }
}
