package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.TypeToken;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** What a body gets, and what it may do. */
public interface BodyContract extends EnginePart {
  /** What a context said, kept after its body has ended. */
  record Seen(
      UUID run,
      String pipeline,
      String node,
      int index,
      int attempt,
      long token,
      String idempotencyKey,
      boolean canceled,
      String logger) {}

  @Test
  default void theContextNamesTheStepOfABody() throws InterruptedException {
    Map<String, Seen> seen = new ConcurrentHashMap<>();
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "context",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .expand("items", Integer.class, n -> List.of(10, 11))
                    .step(
                        "look",
                        Integer.class,
                        (n, ctx) -> {
                          seen.put(
                              ctx.node() + ctx.index(),
                              new Seen(
                                  ctx.runId(),
                                  ctx.pipeline(),
                                  ctx.node(),
                                  ctx.index(),
                                  ctx.attempt(),
                                  ctx.token(),
                                  ctx.idempotencyKey(),
                                  ctx.isCanceled(),
                                  ctx.log().getName()));
                          return n;
                        })
                    .collapse("end", Integer.class, List::size));
    Run<Integer> run = engine().serve(pipeline).start(pipeline, 0);
    assertThat(run.await(PATIENCE)).isEqualTo(2);
    assertThat(seen).containsOnlyKeys("look0", "look1");
    Seen second = seen.get("look1");
    assertThat(second)
        .isEqualTo(
            new Seen(
                run.id(),
                "context",
                "look",
                1,
                1,
                second == null ? -1 : second.token(),
                run.id() + "/look/1",
                false,
                "dev.standpipe.step.context.look"));
    assertThat(run.steps())
        .filteredOn(step -> step.node().equals("look") && step.index() == 1)
        .allMatch(step -> second != null && step.token() == second.token())
        .hasSize(1);
  }

  @Test
  default void theLogContextLastsForOneBody() throws InterruptedException {
    List<Map<String, String>> contexts = new ArrayList<>();
    Pipeline<String, String> pipeline =
        single(
            "mdc",
            (text, ctx) -> {
              contexts.add(new HashMap<>(MDC.getCopyOfContextMap()));
              MDC.put("left-behind", text);
              return text;
            });
    Standpipe standpipe = engine().start(engine().process(pipeline).concurrency(1));
    Run<String> first = standpipe.start(pipeline, "1");
    first.await(PATIENCE);
    Run<String> second = standpipe.start(pipeline, "2");
    second.await(PATIENCE);
    assertThat(contexts)
        .containsExactly(
            Map.of(
                "run",
                first.id().toString(),
                "node",
                "work",
                "index",
                "0",
                "attempt",
                "1",
                "token",
                "1"),
            Map.of(
                "run",
                second.id().toString(),
                "node",
                "work",
                "index",
                "0",
                "attempt",
                "1",
                "token",
                "1"));
  }

  @Test
  default void aNullValueGoesThrough() throws InterruptedException {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "nulls",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step("none", String.class, BodyContract::nothing)
                    .step("describe", String.class, String::valueOf)
                    .step("none-again", String.class, BodyContract::nothing));
    Run<String> run = engine().serve(pipeline).start(pipeline, "x");
    assertThat(run.await(PATIENCE)).isNull();
    assertThat(run.result()).isEmpty();
    assertThat(
            engine()
                .query(
                    "select node, value from standpipe_result where node <> '$input' order by 1"))
        .containsExactly("describe|\"null\"", "none|null", "none-again|null");
  }

  @SuppressWarnings("NullAway") // a step may return null; the next one gets it
  private static String nothing(String text) {
    return null;
  }

  @Test
  default void aStepReadsTheStoredValueNotTheLiveObject() throws InterruptedException {
    CompletableFuture<List<String>> live = new CompletableFuture<>();
    TypeToken<List<String>> list = new TypeToken<>() {};
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "stored",
            String.class,
            String.class,
            flow -> {
              var made =
                  flow.input()
                      .step(
                          "make",
                          list,
                          text -> {
                            List<String> value = new ArrayList<>(List.of(text));
                            live.complete(value);
                            return value;
                          });
              return made.step(
                  "use",
                  String.class,
                  value -> {
                    live.join().add("changed later");
                    return String.join(",", value);
                  });
            });
    Run<String> run = engine().serve(pipeline).start(pipeline, "as stored");
    assertThat(run.await(PATIENCE)).isEqualTo("as stored");
    assertThat(live.join()).containsExactly("as stored", "changed later");
  }

  @Test
  default void valuesOfManyKindsSurviveTheTrip() throws InterruptedException {
    record Thing(String name, List<Double> numbers, Map<String, Boolean> flags, long big) {}
    Pipeline<Thing, Thing> pipeline =
        Pipeline.define(
            "kinds",
            Thing.class,
            Thing.class,
            flow ->
                flow.input()
                    .step("one", Thing.class, thing -> thing)
                    .step("two", Thing.class, thing -> thing));
    Standpipe standpipe = engine().serve(pipeline);
    for (String name :
        List.of(
            "", "plain", "quote \" backslash \\ newline \n tab \t", "ü ✂ 😀 \u2028", "'; drop--")) {
      Thing thing =
          new Thing(
              name,
              List.of(0.1, -1e300, 4.9E-324),
              Map.of("a", true, name, false),
              Long.MIN_VALUE + name.length());
      assertThat(standpipe.start(pipeline, thing, RunOptions.none()).await(PATIENCE))
          .isEqualTo(thing);
    }
  }

  @Test
  default void anInterruptDoesNotLeakIntoTheNextBody() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "interrupts",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .step(
                        "interrupt",
                        Integer.class,
                        n -> {
                          Thread.currentThread().interrupt();
                          return n;
                        })
                    .step(
                        "next",
                        Integer.class,
                        (n, ctx) -> {
                          assertThat(Thread.currentThread().isInterrupted()).isFalse();
                          assertThat(ctx.isCanceled()).isFalse();
                          return n;
                        })
                    .expand(
                        "expand",
                        Integer.class,
                        n -> {
                          Thread.currentThread().interrupt();
                          return List.of(n, n);
                        })
                    .collapse("collapse", Integer.class, list -> list.size() * list.get(0)));
    Standpipe standpipe = engine().start(engine().process(pipeline).concurrency(2));
    List<Run<Integer>> runs =
        standpipe.startAll(pipeline, IntStream.range(0, 100).boxed().toList());
    assertThat(EngineFixture.await(runs))
        .isEqualTo(IntStream.range(0, 100).map(n -> 2 * n).boxed().toList());
    assertThat(engine().query("select count(*) from standpipe_attempt")).containsExactly("0");
  }

  @Test
  default void aBodyMayStartRuns() throws InterruptedException {
    Pipeline<String, String> child = single("child", (text, ctx) -> text + "!");
    CompletableFuture<Standpipe> standpipe = new CompletableFuture<>();
    Pipeline<String, String> parent =
        single(
            "parent",
            (text, ctx) ->
                standpipe
                    .join()
                    .start(child, text, RunOptions.key(ctx.idempotencyKey()))
                    .await(PATIENCE));
    standpipe.complete(engine().serve(parent, child));
    assertThat(standpipe.join().start(parent, "nested").await(PATIENCE)).isEqualTo("nested!");
  }
}
