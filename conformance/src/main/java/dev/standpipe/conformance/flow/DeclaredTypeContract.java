package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.TypeToken;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.DefinitionException;
import dev.standpipe.error.DuplicateKeyException;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.operate.Fork;
import dev.standpipe.operate.Operator;
import dev.standpipe.operate.RunFilter;
import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Values are written by the types declared for them, on every way they can take. */
public interface DeclaredTypeContract extends EnginePart {
  /** A type whose classes are all known. */
  sealed interface Shape permits Circle, Square {}

  /** One of its classes. */
  record Circle(int radius) implements Shape {}

  /** The other. */
  record Square(BigDecimal side, OffsetDateTime at) implements Shape {}

  Shape CIRCLE = new Circle(1);
  Shape SQUARE =
      new Square(new BigDecimal("2.50"), OffsetDateTime.parse("2024-02-29T23:30:00+05:30"));
  TypeToken<List<Shape>> SHAPES = new TypeToken<>() {};
  TypeToken<Map<String, Shape>> NAMED = new TypeToken<>() {};
  TypeToken<Optional<Shape>> MAYBE = new TypeToken<>() {};

  @Test
  default void valuesInContainersKeepTheirTypes() throws InterruptedException {
    Pipeline<List<Shape>, Optional<Shape>> pipeline =
        Pipeline.define(
            "containers",
            SHAPES,
            MAYBE,
            flow ->
                flow.input()
                    .expand("each", Shape.class, all -> all)
                    .step("same", Shape.class, shape -> shape)
                    .collapse("all", SHAPES, all -> all)
                    .step("named", NAMED, all -> Map.of("a", all.get(0), "b", all.get(1)))
                    .step("maybe", MAYBE, named -> Optional.ofNullable(named.get("b"))));
    Run<Optional<Shape>> run = engine().serve(pipeline).start(pipeline, List.of(CIRCLE, SQUARE));
    assertThat(run.await(PATIENCE)).contains(SQUARE);
  }

  /** A generic type whose classes are all known. */
  sealed interface Reply<T> permits Good, Bad {}

  /** One of its classes. */
  record Good<T>(T value) implements Reply<T> {}

  /** The other. */
  record Bad<T>(String why) implements Reply<T> {}

  @Test
  default void typeParametersReachThroughSealedTypes() throws InterruptedException {
    TypeToken<Reply<Shape>> one = new TypeToken<>() {};
    TypeToken<List<Reply<Shape>>> all = new TypeToken<>() {};
    Pipeline<Reply<Shape>, Reply<Shape>> called =
        Pipeline.define(
            "reply",
            one,
            one,
            flow ->
                flow.input()
                    .await("other", one)
                    .step(
                        "keep",
                        one,
                        (reply, ctx) -> {
                          ctx.context().set("kept", reply, one);
                          return reply;
                        })
                    .step(
                        "end",
                        one,
                        (reply, ctx) -> {
                          ctx.finishRun(ctx.context().get("kept", one).orElseThrow());
                          return new Bad<>("not reached");
                        }));
    Pipeline<List<Reply<Shape>>, List<Reply<Shape>>> pipeline =
        Pipeline.define(
            "replies",
            all,
            all,
            flow ->
                flow.input()
                    .expand("each", one, replies -> replies)
                    .call("call", called)
                    .collapse("all", all, replies -> replies));
    List<Reply<Shape>> replies = List.of(new Good<>(CIRCLE), new Bad<>("no"), new Good<>(SQUARE));
    Standpipe standpipe = engine().serve(pipeline, called);
    Run<List<Reply<Shape>>> run = standpipe.start(pipeline, replies);
    Run<Reply<Shape>> alone = standpipe.start(called, new Good<>(CIRCLE));
    RunFilter waiting = RunFilter.where().pipeline("reply");
    Operator operator = standpipe.operator("somebody");
    await().atMost(PATIENCE).until(() -> operator.list(waiting, 9).size() == 4);
    operator
        .list(waiting, 9)
        .forEach(each -> standpipe.signal(each.id(), "other", new Good<>(SQUARE)));
    assertThat(alone.await(PATIENCE)).isEqualTo(new Good<>(SQUARE));
    assertThat(run.await(PATIENCE)).hasSize(3).containsOnly(new Good<>(SQUARE));
  }

  @Test
  default void timesKeepTheirOffsetAndTheirZone() throws InterruptedException {
    Pipeline<ZonedDateTime, String> pipeline =
        Pipeline.define(
            "zones",
            ZonedDateTime.class,
            String.class,
            flow ->
                flow.input()
                    .step("offset", OffsetDateTime.class, ZonedDateTime::toOffsetDateTime)
                    .step("day", String.class, at -> at.toLocalDate() + " " + at.getOffset()));
    ZonedDateTime late = ZonedDateTime.parse("2024-02-29T23:30:00+09:00[Asia/Tokyo]");
    Run<String> run = engine().serve(pipeline).start(pipeline, late);
    assertThat(run.await(PATIENCE)).isEqualTo("2024-02-29 +09:00");
  }

  @Test
  default void armsOfDifferentTypesConvergeToTheirSealedType() throws InterruptedException {
    Pipeline<String, List<Shape>> called =
        Pipeline.define(
            "both",
            TypeToken.of(String.class),
            SHAPES,
            flow ->
                flow.input()
                    .divert("way", text -> text)
                    .on("circle", in -> in.step("circle", Circle.class, text -> new Circle(1)))
                    .otherwise(in -> in.step("square", Square.class, text -> (Square) SQUARE))
                    .converge(Shape.class)
                    .step("list", SHAPES, shape -> List.of(shape, shape)));
    Standpipe standpipe = engine().serve(called);
    assertThat(standpipe.start(called, "circle").await(PATIENCE)).containsExactly(CIRCLE, CIRCLE);
    assertThat(standpipe.start(called, "other").await(PATIENCE)).containsExactly(SQUARE, SQUARE);
  }

  @Test
  default void aCallTakesTheTypesItsPipelineDeclares() throws InterruptedException {
    Pipeline<Shape, Shape> called =
        Pipeline.define(
            "any-shape",
            Shape.class,
            Shape.class,
            flow -> flow.input().step("same", Shape.class, shape -> shape));
    Pipeline<Integer, Shape> caller =
        Pipeline.define(
            "one-shape",
            Integer.class,
            Shape.class,
            flow -> flow.input().step("circle", Circle.class, Circle::new).call("call", called));
    assertThat(engine().serve(caller).start(caller, 1).await(PATIENCE)).isEqualTo(CIRCLE);
  }

  @Test
  default void signalsContextAndAnEarlyEndKeepTheirTypes() throws InterruptedException {
    Pipeline<String, List<Shape>> pipeline =
        Pipeline.define(
            "signaled",
            TypeToken.of(String.class),
            SHAPES,
            flow ->
                flow.input()
                    .await("shapes", SHAPES)
                    .step(
                        "keep",
                        Integer.class,
                        (shapes, ctx) -> {
                          ctx.context().set("inferred", shapes);
                          ctx.context().set("declared", Optional.of(shapes.get(0)), MAYBE);
                          return shapes.size();
                        })
                    .step(
                        "end",
                        SHAPES,
                        (size, ctx) -> {
                          List<Shape> both =
                              new ArrayList<>(ctx.context().get("inferred", SHAPES).orElseThrow());
                          both.add(
                              ctx.context().get("declared", MAYBE).orElseThrow().orElseThrow());
                          ctx.finishRun(both);
                          return List.of();
                        }));
    Standpipe standpipe = engine().serve(pipeline);
    Standpipe client = engine().client();
    Run<List<Shape>> here = standpipe.start(pipeline, "here");
    Run<List<Shape>> there = standpipe.start(pipeline, "there");
    standpipe.signal(here.id(), "shapes", List.of(SQUARE, CIRCLE));
    client.signal(there.id(), "shapes", List.of(CIRCLE, SQUARE));
    assertThat(here.await(PATIENCE)).containsExactly(SQUARE, CIRCLE, SQUARE);
    assertThat(there.await(PATIENCE)).containsExactly(CIRCLE, SQUARE, CIRCLE);
  }

  @Test
  default void callbacksAndCompensationsGetTheWrittenValues() throws InterruptedException {
    BlockingQueue<Object> seen = new LinkedBlockingQueue<>();
    Pipeline<List<Shape>, String> pipeline =
        Pipeline.define(
            "undone",
            SHAPES,
            TypeToken.of(String.class),
            flow -> {
              flow.onFailure(end -> seen.add(end.input(SHAPES).orElseThrow()));
              return flow.input()
                  .step("do", SHAPES, shapes -> shapes)
                  .compensate(shapes -> seen.add(shapes))
                  .step("fail", String.class, shapes -> fail());
            });
    Run<String> run = engine().serve(pipeline).start(pipeline, List.of(SQUARE, CIRCLE));
    assertThatThrownBy(() -> run.await(PATIENCE)).isInstanceOf(RunFailedException.class);
    await().atMost(PATIENCE).until(() -> seen.size() == 2);
    assertThat(seen).containsOnly(List.of(SQUARE, CIRCLE));
  }

  private static String fail() {
    throw new InvalidValueException("no", null);
  }

  @Test
  default void aForkIsGivenValuesOfTheTypesDeclared() throws InterruptedException {
    Pipeline<List<Shape>, Integer> pipeline =
        Pipeline.define(
            "forked",
            SHAPES,
            TypeToken.of(Integer.class),
            flow ->
                flow.input()
                    .step("same", SHAPES, shapes -> shapes)
                    .step("count", Integer.class, List::size));
    Standpipe standpipe = engine().serve(pipeline);
    Run<Integer> run = standpipe.start(pipeline, List.of(CIRCLE));
    assertThat(run.await(PATIENCE)).isEqualTo(1);
    UUID fork =
        standpipe
            .operator("somebody")
            .fork(run.id(), "count", "to see", Fork.input(List.of(CIRCLE, SQUARE)));
    assertThat(standpipe.run(pipeline, fork).await(PATIENCE)).isEqualTo(2);
  }

  @Test
  default void setOrderDoesNotChangeAKeyedStart() {
    TypeToken<Map<String, Set<Shape>>> type = new TypeToken<>() {};
    Pipeline<Map<String, Set<Shape>>, Integer> pipeline =
        Pipeline.define(
            "sets",
            type,
            TypeToken.of(Integer.class),
            flow -> flow.input().step("count", Integer.class, Map::size));
    Standpipe client = engine().client();
    Map<String, Set<Shape>> one = Map.of("a", new LinkedHashSet<>(List.of(CIRCLE, SQUARE)));
    Map<String, Set<Shape>> same = Map.of("a", new LinkedHashSet<>(List.of(SQUARE, CIRCLE)));
    RunOptions key = RunOptions.key("order");
    Run<Integer> first = client.start(pipeline, one, key);
    assertThat(client.start(pipeline, same, key).id()).isEqualTo(first.id());
    assertThatThrownBy(() -> client.start(pipeline, Map.of("a", Set.of(CIRCLE)), key))
        .isInstanceOf(DuplicateKeyException.class);
  }

  @Test
  default void aLossyValueFailsTheStepThatReturnsIt() {
    TypeToken<Map<String, Object>> anything = new TypeToken<>() {};
    Pipeline<String, Map<String, Object>> pipeline =
        Pipeline.define(
            "anything",
            TypeToken.of(String.class),
            anything,
            flow -> flow.input().step("lossy", anything, text -> Map.of("price", BigDecimal.TEN)));
    Run<Map<String, Object>> run = engine().serve(pipeline).start(pipeline, "in");
    assertThatThrownBy(() -> run.await(PATIENCE)).isInstanceOf(RunFailedException.class);
    assertThat(run.info().haltReason()).contains(HaltReason.INVALID_VALUE);
    assertThat(run.info().haltNode()).contains("lossy");
  }

  @Test
  default void anUnstorableTypeIsRefusedBeforeServing() {
    Pipeline<String, Pattern> pipeline =
        Pipeline.define(
            "patterns",
            String.class,
            Pattern.class,
            flow -> flow.input().step("compile", Pattern.class, Pattern::compile));
    assertThatThrownBy(() -> engine().serve(pipeline))
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining("\"compile\": java.util.regex.Pattern is not a value");
  }

  @SuppressWarnings("NullAway") // a run whose input is Void has none
  @Test
  default void aStepMayHaveNoValueAndAPipelineNoInput() throws InterruptedException {
    BlockingQueue<String> done = new LinkedBlockingQueue<>();
    Pipeline<Void, Void> pipeline =
        Pipeline.define(
            "effect",
            Void.class,
            Void.class,
            flow -> flow.input().step("do", (nothing, ctx) -> done.add(ctx.node())));
    Standpipe standpipe = engine().serve(pipeline);
    assertThat(standpipe.start(pipeline, null).await(PATIENCE)).isNull();
    assertThat(done).containsExactly("do");
    Pipeline<String, String> text = EngineFixture.single("text", (in, ctx) -> in);
    assertThatThrownBy(() -> standpipe.start(text, null))
        .isInstanceOf(StandpipeException.class)
        .hasMessageContaining("A run needs an input");
  }
}
