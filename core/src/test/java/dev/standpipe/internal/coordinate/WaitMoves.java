package dev.standpipe.internal.coordinate;

import dev.standpipe.Await;
import dev.standpipe.Each;
import dev.standpipe.EachAwait;
import dev.standpipe.Flow;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.internal.coordinate.RandomGraph.Bodies;
import dev.standpipe.internal.coordinate.Wiring.Branch;
import dev.standpipe.internal.coordinate.Wiring.Vertex;
import java.util.List;

/** Adds what only waits: for a time, for a signal, for another run, or for all before it. */
final class WaitMoves {
  private final Flow<String> flow;
  private final ModelNodes nodes;
  private final Bodies bodies;
  private final Wiring wiring;
  private final Pipeline<String, String> called;

  WaitMoves(
      Flow<String> flow,
      ModelNodes nodes,
      Bodies bodies,
      Wiring wiring,
      Pipeline<String, String> called) {
    this.flow = flow;
    this.nodes = nodes;
    this.bodies = bodies;
    this.wiring = wiring;
    this.called = called;
  }

  void delay(Move move) {
    Vertex input = wiring.vertex(move.a());
    String key = nodes.addDelay(input.key());
    wiring.add(key, input.node().delay(key, bodies.delay(key)));
  }

  void eachDelay(Move move) {
    wiring.near(move.a()).ifPresent(this::eachDelay);
  }

  private void eachDelay(Branch from) {
    String key = nodes.addDelayBelow(from.expand(), from.key());
    wiring.add(key, from.expand(), from.each().delay(key, bodies.delay(key)));
  }

  void await(Move move) {
    Vertex input = wiring.vertex(move.a());
    boolean expires = expires(move);
    String key = nodes.awaiting(nodes.add(Model.Kind.ONCE, List.of(input.key())), expires);
    Await<String, String> await = input.node().await(key, String.class);
    Node<String> node =
        expires ? await.within(bodies.within(key)).orElse(RandomGraph.OTHERWISE) : await;
    wiring.show(new Vertex(key, node));
  }

  void eachAwait(Move move) {
    wiring.near(move.a()).ifPresent(from -> eachAwait(from, expires(move)));
  }

  private void eachAwait(Branch from, boolean expires) {
    String key = nodes.awaiting(nodes.addBelow(from.expand(), from.key()), expires);
    EachAwait<String, String> await = from.each().await(key, String.class);
    Each<String> each =
        expires ? await.within(bodies.within(key)).orElse(RandomGraph.OTHERWISE) : await;
    wiring.show(new Branch(key, from.expand(), each));
  }

  private static boolean expires(Move move) {
    return move.b() % 2 == 0;
  }

  void call(Move move) {
    Vertex input = wiring.vertex(move.a());
    String key = nodes.calling(nodes.add(Model.Kind.ONCE, List.of(input.key())));
    wiring.show(new Vertex(key, input.node().call(key, called)));
  }

  void eachCall(Move move) {
    wiring.near(move.a()).ifPresent(this::eachCall);
  }

  private void eachCall(Branch from) {
    String key = nodes.calling(nodes.addBelow(from.expand(), from.key()));
    wiring.show(new Branch(key, from.expand(), from.each().call(key, called)));
  }

  void barrier() {
    flow.barrier(nodes.addBarrier());
    wiring.separate();
  }
}
