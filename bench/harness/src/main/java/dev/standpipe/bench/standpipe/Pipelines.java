package dev.standpipe.bench.standpipe;

import dev.standpipe.Flow;
import dev.standpipe.Loop;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.StepContext;
import dev.standpipe.bench.contract.Payload;
import dev.standpipe.bench.contract.Shape;
import dev.standpipe.bench.contract.Tally;
import dev.standpipe.bench.raw.Booking;
import dev.standpipe.outbox.EventOptions;
import dev.standpipe.schedule.Schedule;
import dev.standpipe.schedule.Timing;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;

/** The pipelines of the workloads. Their steps do next to nothing. */
final class Pipelines {
  private static final int SUBJECTS = 500;

  private Pipelines() {}

  static Pipeline<Integer, Integer> ofNumbers(Shape shape, Tally tally) {
    String name = shape.toString().replace(':', '-');
    return Pipeline.define(name, Integer.class, Integer.class, flow -> wire(flow, shape, tally));
  }

  private static Node<Integer> wire(Flow<Integer> flow, Shape shape, Tally tally) {
    return switch (shape.kind()) {
      case CHAIN -> lane(flow.input(), "step", shape.size(), tally);
      case FAN -> fan(flow.input(), shape.size(), tally);
      case DIAMOND -> diamond(flow.input(), shape.size(), tally);
      case LANES -> lanes(flow.input(), shape.size(), tally);
      case LOOP -> loop(flow.input(), shape.size(), tally);
      case BOOKINGS -> bookings(flow.input(), shape.size(), tally);
      case EVENTS -> flow.input().step("emit", Integer.class, (n, ctx) -> emit(ctx, n, shape));
      case CALLS ->
          flow.input().step("calls", Integer.class, (n, ctx) -> calls(ctx, n, shape.size(), tally));
    };
  }

  private static Node<Integer> lane(Node<Integer> from, String name, int steps, Tally tally) {
    Node<Integer> node = from;
    for (int i = 0; i < steps; i++) {
      node = node.step(name + "-" + i, Integer.class, n -> add(n, 1, tally));
    }
    return node;
  }

  private static Node<Integer> bookings(Node<Integer> from, int steps, Tally tally) {
    Node<Integer> node = from;
    for (int i = 0; i < steps; i++) {
      node =
          node.transactional(
              "step-" + i,
              Integer.class,
              (n, tx) -> {
                Booking.add(tx.connection(), n);
                return add(n, 1, tally);
              });
    }
    return node;
  }

  /** The sink tallies. */
  private static int emit(StepContext ctx, int n, Shape shape) {
    for (int i = 0; i < shape.size(); i++) {
      ctx.emit("counted", i, EventOptions.subject("s" + (n + i) % SUBJECTS));
    }
    return n;
  }

  private static Node<Integer> fan(Node<Integer> from, int width, Tally tally) {
    return from.expand("fan", Integer.class, n -> range(n, width, tally))
        .step("work", Integer.class, n -> add(n, 1, tally))
        .collapse("sum", Integer.class, all -> sum(all, tally));
  }

  private static Node<Integer> diamond(Node<Integer> from, int width, Tally tally) {
    Node<Integer> split = from.step("split", Integer.class, n -> add(n, 1, tally));
    List<Node<Integer>> branches =
        IntStream.range(0, width)
            .mapToObj(i -> split.step("branch-" + i, Integer.class, n -> add(n, i, tally)))
            .toList();
    return Node.<Integer>all(branches).step("join", Integer.class, all -> sum(all, tally));
  }

  private static Node<Integer> lanes(Node<Integer> from, int lanes, Tally tally) {
    List<Node<Integer>> ends =
        IntStream.range(0, lanes)
            .mapToObj(i -> lane(from, "lane-" + i, Shape.LANE_STEPS, tally))
            .toList();
    return Node.<Integer>all(ends).step("join", Integer.class, all -> sum(all, tally));
  }

  private static Node<Integer> loop(Node<Integer> from, int turns, Tally tally) {
    return from.loop(
        "turn",
        Integer.class,
        (n, ctx) -> {
          int next = add(n, 1, tally);
          return ctx.turn() < turns ? Loop.again(next) : Loop.done(next);
        });
  }

  static Pipeline<String, String> ofTexts(Shape shape, Tally tally) {
    String name = shape.toString().replace(':', '-');
    return Pipeline.define(
        name,
        String.class,
        String.class,
        flow -> {
          Node<String> node = flow.input();
          for (int i = 0; i < shape.size(); i++) {
            node = node.step("step-" + i, String.class, text -> next(text, tally));
          }
          return node;
        });
  }

  /** So many pipelines of which nobody starts a run. */
  static List<Pipeline<Integer, Integer>> idle(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                Pipeline.define(
                    "idle-" + i,
                    Integer.class,
                    Integer.class,
                    flow -> flow.input().step("work", Integer.class, n -> n)))
        .toList();
  }

  /** So many schedules of one of these, spread over an hour. */
  static List<Schedule<Integer>> schedules(int count) {
    Pipeline<Integer, Integer> scheduled = idle(1).get(0);
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                Schedule.of(
                        "hourly-" + i,
                        scheduled,
                        Timing.cron("%d %d * * * *".formatted(i % 60, i / 60 % 60), ZoneOffset.UTC))
                    .input(i))
        .toList();
  }

  private static int calls(StepContext ctx, int n, int calls, Tally tally)
      throws InterruptedException {
    int last = n;
    for (int i = 0; i < calls; i++) {
      int from = last;
      last = ctx.once("call-" + i, Integer.class, () -> add(from, 1, tally));
    }
    return last;
  }

  private static int add(int n, int more, Tally tally) throws InterruptedException {
    tally.step(n);
    return n + more;
  }

  private static List<Integer> range(int n, int width, Tally tally) throws InterruptedException {
    tally.step(n);
    return IntStream.range(n, n + width).boxed().toList();
  }

  /** Adds them up, and lets what does not fit fall off. */
  private static int sum(List<Integer> all, Tally tally) throws InterruptedException {
    tally.step(all.size());
    return all.stream().mapToInt(Integer::intValue).sum();
  }

  private static String next(String text, Tally tally) throws InterruptedException {
    tally.step(0);
    return Payload.next(text);
  }
}
