package dev.standpipe.faults;

import dev.standpipe.Each;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.StepBody;
import dev.standpipe.definition.Strategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A pipeline that a seed decides: chains, forks, joins, expands, diverts, delays, barriers, awaits
 * and a strategy.
 */
final class RandomPipeline {
  private static final int ELEMENTS = 3;
  private static final List<Strategy> STRATEGIES = List.of(Strategy.values());
  private static final Retry RETRY = Retry.fixed(Duration.ofMillis(50)).limit(5);

  private final Random random;
  private final StepBody<Integer, Integer> body;
  private final Pipeline<Integer, Integer> pipeline;
  private int nodes;
  private int steps;

  /** Every step has this body. */
  RandomPipeline(long seed, StepBody<Integer, Integer> body) {
    this.random = new Random(seed);
    this.body = body;
    this.pipeline =
        Pipeline.define(
            "random-" + seed,
            Integer.class,
            Integer.class,
            flow -> {
              Strategy strategy = STRATEGIES.get(random.nextInt(STRATEGIES.size()));
              flow.strategy(strategy);
              List<Node<Integer>> all = new ArrayList<>();
              all.add(step(flow.input()));
              int more = 2 + random.nextInt(8);
              for (int i = 0; i < more; i++) {
                if (random.nextInt(5) == 0) {
                  flow.barrier(key("barrier"));
                  steps++;
                }
                all.add(grow(all, strategy));
              }
              return all.get(all.size() - 1);
            });
  }

  Pipeline<Integer, Integer> pipeline() {
    return pipeline;
  }

  /** How many results a run of it has. */
  int steps() {
    return steps;
  }

  /** Elements keep neither elements of their own nor arms apart where a failure need not halt. */
  private Node<Integer> grow(List<Node<Integer>> all, Strategy strategy) {
    Node<Integer> from = all.get(random.nextInt(all.size()));
    return switch (random.nextInt(strategy == Strategy.HALT ? 9 : 7)) {
      case 0 -> join(from, all.get(random.nextInt(all.size())));
      case 1 -> expand(from);
      case 2 -> divert(from);
      case 3 -> stream(from);
      case 4 -> delay(from);
      case 5 -> await(from);
      case 6 -> step(from);
      case 7 -> expandInside(from);
      default -> eachDivert(from);
    };
  }

  private Node<Integer> step(Node<Integer> from) {
    steps++;
    return uncounted(from);
  }

  private Node<Integer> uncounted(Node<Integer> from) {
    return from.step(key("step"), Integer.class, body).retry(RETRY);
  }

  private Node<Integer> join(Node<Integer> one, Node<Integer> other) {
    if (one == other) {
      return step(one);
    }
    steps++;
    return Node.join(one, other)
        .step(key("join"), Integer.class, (a, b, ctx) -> body.run(a + b, ctx))
        .retry(RETRY);
  }

  private Node<Integer> expand(Node<Integer> from) {
    steps += ELEMENTS + 2;
    return from.expand(
            key("expand"),
            Integer.class,
            (n, ctx) -> Collections.nCopies(ELEMENTS, body.run(n, ctx)))
        .retry(RETRY)
        .step(key("each"), Integer.class, body)
        .retry(RETRY)
        .collapse(key("collapse"), Integer.class, (list, ctx) -> body.run(list.size(), ctx))
        .retry(RETRY);
  }

  /** A window of one has every element go in by a commit of its own. */
  private Node<Integer> stream(Node<Integer> from) {
    steps += ELEMENTS + 2;
    return from.expandStream(
            key("stream"),
            Integer.class,
            (n, ctx) -> Collections.nCopies(ELEMENTS, body.run(n, ctx)).stream())
        .window(1)
        .retry(RETRY)
        .step(key("each"), Integer.class, body)
        .retry(RETRY)
        .reduce(key("reduce"), Integer.class, () -> 0, Integer::sum)
        .retry(RETRY);
  }

  private Node<Integer> expandInside(Node<Integer> from) {
    steps += 1 + ELEMENTS * (1 + ELEMENTS + 1) + 1;
    StepBody<Integer, List<Integer>> elements =
        (n, ctx) -> Collections.nCopies(ELEMENTS, body.run(n, ctx));
    return from.expand(key("expand"), Integer.class, elements)
        .retry(RETRY)
        .expand(
            key("inside"),
            Integer.class,
            elements,
            inside ->
                inside
                    .retry(RETRY)
                    .step(key("each"), Integer.class, body)
                    .retry(RETRY)
                    .collapse(
                        key("inner"), Integer.class, (list, ctx) -> body.run(list.size(), ctx))
                    .retry(RETRY))
        .collapse(key("outer"), Integer.class, (list, ctx) -> body.run(list.size(), ctx))
        .retry(RETRY);
  }

  /** Nobody signals it; it waits for a moment, and goes on. */
  private Node<Integer> await(Node<Integer> from) {
    steps++;
    return from.await(key("await"), Integer.class).within(Duration.ofMillis(20)).orElse(1);
  }

  /** One arm has two steps, the other one; what is on the arm not taken has no result to count. */
  private Node<Integer> divert(Node<Integer> from) {
    boolean longer = random.nextBoolean();
    steps += longer ? 4 : 3;
    return from.divert(
            key("divert"),
            (n, ctx) -> {
              body.run(n, ctx);
              return longer ? "longer" : "shorter";
            })
        .retry(RETRY)
        .on("longer", n -> uncounted(uncounted(n)))
        .otherwise(this::uncounted)
        .converge();
  }

  /** Elements take the longer arm and the shorter one by turns. */
  private Node<Integer> eachDivert(Node<Integer> from) {
    int onArms = IntStream.range(0, ELEMENTS).map(i -> i % 2 == 0 ? 2 : 1).sum();
    steps += 1 + ELEMENTS * 2 + onArms + 1;
    return from.expand(
            key("expand"),
            Integer.class,
            (n, ctx) -> Collections.nCopies(ELEMENTS, body.run(n, ctx)))
        .retry(RETRY)
        .divert(
            key("divert"),
            (n, ctx) -> {
              body.run(n, ctx);
              return ctx.index() % 2 == 0 ? "longer" : "shorter";
            })
        .retry(RETRY)
        .on("longer", each -> uncounted(uncounted(each)))
        .otherwise(this::uncounted)
        .converge()
        .collapse(key("collapse"), Integer.class, (list, ctx) -> body.run(list.size(), ctx))
        .retry(RETRY);
  }

  private Each<Integer> uncounted(Each<Integer> from) {
    return from.step(key("step"), Integer.class, body).retry(RETRY);
  }

  private Node<Integer> delay(Node<Integer> from) {
    steps++;
    return from.delay(key("delay"), Duration.ofMillis(random.nextInt(300)));
  }

  private String key(String kind) {
    return kind + "-" + nodes++;
  }
}
