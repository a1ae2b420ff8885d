package dev.standpipe.conformance.operate;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Fail;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.DefinitionException;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.error.UnknownSinkException;
import dev.standpipe.outbox.DeadLetter;
import dev.standpipe.outbox.EventOptions;
import dev.standpipe.outbox.Outbox;
import dev.standpipe.outbox.OutboxEvent;
import dev.standpipe.outbox.Sink;
import dev.standpipe.outbox.SinkInfo;
import dev.standpipe.outbox.SinkPolicy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** Events: committed with what they tell of, and published to every sink. */
public interface OutboxContract extends EnginePart {
  /** Fails fast, for tests. */
  SinkPolicy HASTY =
      SinkPolicy.standard()
          .withPauses(Duration.ofMillis(20), Duration.ofMillis(100))
          .withTimeout(Duration.ofSeconds(2));

  private static Outbox outbox(Standpipe standpipe) {
    return standpipe.operator("ana").outbox();
  }

  private static void awaitSize(Queue<?> queue, int size) {
    await().atMost(PATIENCE).until(() -> queue.size() >= size);
  }

  private static void awaitSink(Standpipe standpipe, String name) {
    await()
        .atMost(PATIENCE)
        .until(() -> outbox(standpipe).sinks().stream().anyMatch(sink -> sink.name().equals(name)));
  }

  private List<String> stored() {
    return engine().query("select count(*) from standpipe_outbox");
  }

  private void awaitEmpty() {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                stored().equals(List.of("0"))
                    && engine()
                        .query("select count(*) from standpipe_outbox_delivery")
                        .equals(List.of("0")));
  }

  @Test
  default void whatAStepEmitsIsPublished() throws Exception {
    Queue<OutboxEvent> got = new ConcurrentLinkedQueue<>();
    AtomicReference<UUID> id = new AtomicReference<>();
    Pipeline<String, String> pipeline =
        single(
            "emits",
            (text, ctx) -> {
              id.set(
                  ctx.emit(
                      "order.paid",
                      Map.of("total", 17),
                      EventOptions.subject("order-1").withHeader("traceparent", "00-ab")));
              return text;
            });
    Standpipe standpipe =
        engine().start(engine().process().serve(pipeline).sink(Sink.of("memory", got::addAll)));
    awaitSink(standpipe, "memory");
    Run<String> run = standpipe.start(pipeline, "x");
    run.await(PATIENCE);
    awaitSize(got, 1);
    OutboxEvent event = got.remove();
    assertThat(event.id()).isEqualTo(id.get());
    assertThat(event.type()).isEqualTo("order.paid");
    assertThat(event.subject()).isEqualTo("order-1");
    assertThat(event.topic()).isEqualTo("emits");
    assertThat(event.payload()).isEqualTo("{\"total\":17}");
    assertThat(event.headers()).containsExactly(Map.entry("traceparent", "00-ab"));
    assertThat(event.origin().orElseThrow().run()).isEqualTo(run.id());
    assertThat(event.delivery().number()).isEqualTo(1);
    awaitEmpty();
    assertThat(outbox(standpipe).sinks())
        .singleElement()
        .satisfies(sink -> assertThat(sink.pending()).isZero());
  }

  @Test
  default void aTryThatFailsEmitsNothing() throws Exception {
    Queue<OutboxEvent> got = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "fails-first",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step(
                        "work",
                        String.class,
                        (text, ctx) -> {
                          ctx.emit("tried", ctx.attempt());
                          if (text.equals("never")) {
                            throw Fail.now("no");
                          }
                          if (ctx.attempt() < 3) {
                            throw new IllegalStateException("not yet");
                          }
                          return text;
                        })
                    .retry(Retry.fixed(Duration.ofMillis(1)).limit(5)));
    Standpipe standpipe =
        engine().start(engine().process().serve(pipeline).sink(Sink.of("memory", got::addAll)));
    Run<String> never = standpipe.start(pipeline, "never");
    Run<String> third = standpipe.start(pipeline, "third");
    third.await(PATIENCE);
    await().atMost(PATIENCE).until(() -> never.status() == RunStatus.HALTED);
    awaitSize(got, 1);
    awaitEmpty();
    assertThat(got).extracting(OutboxEvent::payload).containsExactly("3");
    assertThat(got).extracting(OutboxEvent::subject).containsExactly(third.id().toString());
  }

  @Test
  default void anEventOfATransactionIsThereIfItCommits() throws Exception {
    Queue<OutboxEvent> got = new ConcurrentLinkedQueue<>();
    Standpipe standpipe = engine().start(engine().process().sink(Sink.of("memory", got::addAll)));
    awaitSink(standpipe, "memory");
    try (Connection connection = engine().source().getConnection()) {
      connection.setAutoCommit(false);
      standpipe.emit(connection, "gone", "a", EventOptions.subject("s"));
      connection.rollback();
      standpipe.emit(connection, "kept", "b", EventOptions.subject("s"));
      connection.commit();
      connection.setAutoCommit(true);
      assertThatExceptionOfType(StandpipeException.class)
          .isThrownBy(() -> standpipe.emit(connection, "x", "b", EventOptions.subject("s")))
          .withMessageContaining("auto-commit");
    }
    awaitSize(got, 1);
    awaitEmpty();
    assertThat(got).extracting(OutboxEvent::type).containsExactly("kept");
    assertThat(got).extracting(OutboxEvent::topic).containsExactly("events");
  }

  @Test
  default void aDedupeKeyIsEmittedOnceForEver() throws Exception {
    Queue<OutboxEvent> got = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline =
        single(
            "keyed",
            (text, ctx) -> {
              ctx.emit("paid", text, EventOptions.dedupeKey("k1"));
              ctx.emit("paid", text, EventOptions.dedupeKey("k1"));
              ctx.emit("sent", text, EventOptions.dedupeKey("k1"));
              return text;
            });
    Standpipe standpipe =
        engine().start(engine().process().serve(pipeline).sink(Sink.of("memory", got::addAll)));
    for (int i = 0; i < 5; i++) {
      standpipe.start(pipeline, "run" + i).await(PATIENCE);
    }
    awaitSize(got, 2);
    awaitEmpty();
    UUID first = got.stream().filter(e -> e.type().equals("paid")).findFirst().orElseThrow().id();
    try (Connection connection = engine().source().getConnection()) {
      connection.setAutoCommit(false);
      UUID same =
          standpipe.emit(
              connection, "paid", "again", EventOptions.dedupeKey("k1").withSubject("s"));
      connection.commit();
      assertThat(same).isEqualTo(first);
    }
    assertThat(stored()).containsExactly("0");
    assertThat(got).extracting(OutboxEvent::type).containsExactlyInAnyOrder("paid", "sent");
  }

  @Test
  default void everySinkGetsEveryEventInTheOrderOfItsSubject() throws Exception {
    Queue<OutboxEvent> one = new ConcurrentLinkedQueue<>();
    Queue<OutboxEvent> two = new ConcurrentLinkedQueue<>();
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "order",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .step("first", Integer.class, (n, ctx) -> emit(ctx, n, "a"))
                    .step("second", Integer.class, (n, ctx) -> emit(ctx, n, "b"))
                    .step("third", Integer.class, (n, ctx) -> emit(ctx, n, "c")));
    Standpipe standpipe =
        engine()
            .start(
                engine()
                    .process()
                    .serve(pipeline)
                    .sink(Sink.of("one", one::addAll), Sink.of("two", two::addAll)));
    engine()
        .start(
            engine()
                .process()
                .serve(pipeline)
                .sink(Sink.of("one", one::addAll), Sink.of("two", two::addAll)));
    awaitSink(standpipe, "one");
    awaitSink(standpipe, "two");
    for (Run<Integer> run : standpipe.startAll(pipeline, IntStream.range(0, 50).boxed().toList())) {
      run.await(PATIENCE);
    }
    awaitSize(one, 300);
    awaitSize(two, 300);
    awaitEmpty();
    for (Queue<OutboxEvent> got : List.of(one, two)) {
      assertThat(got).hasSize(300).doesNotHaveDuplicates();
      Map<String, List<String>> bySubject =
          got.stream()
              .collect(
                  Collectors.groupingBy(
                      OutboxEvent::subject,
                      Collectors.mapping(OutboxEvent::type, Collectors.toList())));
      assertThat(bySubject).hasSize(50);
      assertThat(bySubject.values())
          .allSatisfy(
              types -> assertThat(types).containsExactly("a1", "a2", "b1", "b2", "c1", "c2"));
    }
  }

  private static Integer emit(StepContext ctx, Integer n, String type) {
    ctx.emit(type + 1, n);
    ctx.emit(type + 2, n);
    return n;
  }

  @Test
  default void anEventWaitsForTheFirstSink() throws Exception {
    Pipeline<String, String> pipeline =
        single(
            "early",
            (text, ctx) -> {
              ctx.emit("early", text);
              return text;
            });
    Standpipe before = engine().start(engine().process().serve(pipeline));
    for (int i = 0; i < 3; i++) {
      before.start(pipeline, "e" + i).await(PATIENCE);
    }
    assertThat(stored()).containsExactly("3");
    Queue<OutboxEvent> got = new ConcurrentLinkedQueue<>();
    engine().start(engine().process().sink(Sink.of("late", got::addAll)));
    awaitSize(got, 3);
    awaitEmpty();
    assertThat(got).extracting(OutboxEvent::payload).doesNotHaveDuplicates().hasSize(3);
  }

  @Test
  default void aSinkThatFailsGetsTheEventAgainAndItsSubjectWaits() throws Exception {
    Queue<String> got = new ConcurrentLinkedQueue<>();
    Queue<UUID> ids = new ConcurrentLinkedQueue<>();
    AtomicInteger failures = new AtomicInteger(4);
    Sink sink =
        Sink.of(
            "moody",
            HASTY,
            events -> {
              for (OutboxEvent event : events) {
                ids.add(event.id());
                if (event.payload().equals("\"s1-0\"") && failures.getAndDecrement() > 0) {
                  throw new IllegalStateException("not this one");
                }
                got.add(event.payload());
              }
            });
    Pipeline<String, String> pipeline =
        single(
            "moody-flow",
            (text, ctx) -> {
              for (int i = 0; i < 3; i++) {
                ctx.emit("e", "s1-" + i, EventOptions.subject("s1"));
                ctx.emit("e", "s2-" + i, EventOptions.subject("s2"));
              }
              return text;
            });
    Standpipe standpipe = engine().start(engine().process().serve(pipeline).sink(sink));
    standpipe.start(pipeline, "x").await(PATIENCE);
    awaitEmpty();
    assertThat(firsts(got, "\"s1-")).containsExactly("\"s1-0\"", "\"s1-1\"", "\"s1-2\"");
    assertThat(firsts(got, "\"s2-")).containsExactly("\"s2-0\"", "\"s2-1\"", "\"s2-2\"");
    assertThat(ids.stream().distinct()).hasSize(6);
    assertThat(failures.get()).isLessThanOrEqualTo(0);
  }

  private static List<String> firsts(Queue<String> got, String prefix) {
    return got.stream().filter(text -> text.startsWith(prefix)).distinct().toList();
  }

  @Test
  default void anEventThatIsRefusedTooOftenIsADeadLetterAndOthersPass() throws Exception {
    Queue<String> got = new ConcurrentLinkedQueue<>();
    AtomicBoolean mended = new AtomicBoolean();
    Sink sink =
        Sink.of(
            "picky",
            HASTY.withMaxTries(3),
            events -> {
              for (OutboxEvent event : events) {
                if (event.type().equals("bad") && !mended.get()) {
                  throw new IllegalStateException("I do not like it");
                }
                got.add(event.type() + event.payload());
              }
            });
    Pipeline<String, String> pipeline =
        single(
            "picky-flow",
            (text, ctx) -> {
              ctx.emit("bad", 1);
              ctx.emit("good", 2);
              ctx.emit("bad", 3);
              return text;
            });
    Standpipe standpipe = engine().start(engine().process().serve(pipeline).sink(sink));
    standpipe.start(pipeline, "x").await(PATIENCE);
    Outbox outbox = outbox(standpipe);
    awaitSink(standpipe, "picky");
    await().atMost(PATIENCE).until(() -> outbox.deadLetters("picky", 10).size() == 2);
    awaitSize(got, 1);
    assertThat(got).containsOnly("good2");
    List<DeadLetter> dead = outbox.deadLetters("picky", 10);
    assertThat(dead.get(0).error()).contains("I do not like it");
    assertThat(dead.get(0).tries()).isEqualTo(3);
    assertThat(standpipe.doctor()).anyMatch(finding -> finding.check().equals("dead_letters"));
    assertThat(outbox.sinks()).extracting(SinkInfo::dead).containsExactly(2L);
    mended.set(true);
    assertThat(outbox.replay("picky", dead.get(0).event().id(), "it is mended")).isTrue();
    assertThat(outbox.discard("picky", dead.get(1).event().id(), "not wanted")).isTrue();
    assertThat(outbox.discard("picky", dead.get(1).event().id(), "not wanted")).isFalse();
    awaitEmpty();
    assertThat(got).contains("bad1").doesNotContain("bad3");
    assertThat(engine().query("select actor, action, sink from standpipe_outbox_audit order by id"))
        .containsExactly("ana|replay|picky", "ana|discard|picky");
  }

  @Test
  default void aPausedSinkWaitsAndOthersDoNot() throws Exception {
    Queue<OutboxEvent> one = new ConcurrentLinkedQueue<>();
    Queue<OutboxEvent> two = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline =
        single(
            "pausable",
            (text, ctx) -> {
              ctx.emit("e", text);
              return text;
            });
    Standpipe standpipe =
        engine()
            .start(
                engine()
                    .process()
                    .serve(pipeline)
                    .sink(Sink.of("one", one::addAll), Sink.of("two", two::addAll)));
    awaitSink(standpipe, "one");
    awaitSink(standpipe, "two");
    Outbox outbox = outbox(standpipe);
    assertThat(outbox.pause("two", "maintenance there")).isTrue();
    assertThat(outbox.pause("two", "maintenance there")).isFalse();
    standpipe.start(pipeline, "x").await(PATIENCE);
    awaitSize(one, 1);
    await()
        .atMost(PATIENCE)
        .until(
            () -> outbox.sinks().stream().map(SinkInfo::pending).toList().equals(List.of(0L, 1L)));
    assertThat(outbox.sinks().get(1).paused().orElseThrow().reason())
        .isEqualTo("maintenance there");
    assertThat(outbox.sinks().get(1).oldest()).isPresent();
    assertThat(outbox.pending("two", 10)).extracting(OutboxEvent::payload).containsExactly("\"x\"");
    assertThat(two).isEmpty();
    assertThat(outbox.resume("two", "done")).isTrue();
    awaitSize(two, 1);
    awaitEmpty();
    assertThat(one).hasSize(1);
  }

  @Test
  default void aSinkThatIsRemovedKeepsNoEventBack() throws Exception {
    Pipeline<String, String> pipeline =
        single(
            "removed",
            (text, ctx) -> {
              ctx.emit("e", text);
              return text;
            });
    Standpipe declares =
        engine()
            .start(
                engine()
                    .process()
                    .sink(
                        Sink.of(
                            "old",
                            HASTY,
                            events -> {
                              throw new IllegalStateException("gone");
                            })));
    awaitSink(declares, "old");
    declares.close();
    Standpipe standpipe = engine().start(engine().process().serve(pipeline));
    standpipe.start(pipeline, "x").await(PATIENCE);
    assertThat(stored()).containsExactly("1");
    outbox(standpipe).remove("old", "nobody wants it");
    assertThat(stored()).containsExactly("0");
    assertThatExceptionOfType(UnknownSinkException.class)
        .isThrownBy(() -> outbox(standpipe).remove("old", "again"));
  }

  @Test
  default void aSinkThatHangsIsCutOffAndHoldsNobodyElseUp() throws Exception {
    Queue<OutboxEvent> got = new ConcurrentLinkedQueue<>();
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger interrupts = new AtomicInteger();
    Sink hangs =
        Sink.of(
            "hangs",
            HASTY.withTimeout(Duration.ofMillis(200)).withMaxTries(2),
            events -> {
              while (true) {
                try {
                  never.await();
                } catch (InterruptedException e) {
                  interrupts.incrementAndGet(); // and goes on
                }
              }
            });
    Pipeline<String, String> pipeline =
        single(
            "hanging",
            (text, ctx) -> {
              ctx.emit("e", text);
              return text;
            });
    Standpipe standpipe =
        engine()
            .start(engine().process().serve(pipeline).sink(hangs, Sink.of("memory", got::addAll)));
    awaitSink(standpipe, "hangs");
    awaitSink(standpipe, "memory");
    standpipe.start(pipeline, "x").await(PATIENCE);
    awaitSize(got, 1);
    await().atMost(PATIENCE).until(() -> outbox(standpipe).deadLetters("hangs", 10).size() == 1);
    assertThat(outbox(standpipe).deadLetters("hangs", 10).get(0).error())
        .contains("has not answered within PT0.2S");
    assertThat(interrupts.get()).isPositive();
  }

  @Test
  default void theEndOfARunIsPublishedOnce() throws Exception {
    Queue<OutboxEvent> got = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "ends",
            String.class,
            String.class,
            flow -> {
              flow.publish("order");
              flow.onComplete(end -> {});
              return flow.input()
                  .step(
                      "work",
                      String.class,
                      text -> {
                        if (text.equals("bad")) {
                          throw Fail.now("no");
                        }
                        return text;
                      });
            });
    Standpipe standpipe =
        engine().start(engine().process().serve(pipeline).sink(Sink.of("memory", got::addAll)));
    Run<String> good = standpipe.start(pipeline, "good");
    Run<String> bad = standpipe.start(pipeline, "bad");
    awaitSize(got, 2);
    awaitEmpty();
    assertThat(got)
        .extracting(OutboxEvent::type, OutboxEvent::subject, OutboxEvent::topic)
        .containsExactlyInAnyOrder(
            Tuple.tuple("order.succeeded", good.id().toString(), "ends"),
            Tuple.tuple("order.halted", bad.id().toString(), "ends"));
    assertThat(got)
        .anySatisfy(
            event ->
                assertThat(event.payload())
                    .contains("\"haltNode\":\"work\"", "\"status\":\"halted\""));
    assertThatExceptionOfType(DefinitionException.class)
        .isThrownBy(
            () ->
                Pipeline.define(
                    "nameless",
                    String.class,
                    String.class,
                    flow -> {
                      flow.publish(" ");
                      return flow.input().step("work", String.class, text -> text);
                    }))
        .withMessageContaining("publish has no type");
  }

  @Test
  default void badEventsAreRefusedAtTheCall() throws Exception {
    List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
    AtomicReference<StepContext> kept = new AtomicReference<>();
    Pipeline<String, String> pipeline =
        single(
            "refused",
            (text, ctx) -> {
              kept.set(ctx);
              for (Runnable bad :
                  List.<Runnable>of(
                      () -> ctx.emit("", "x"),
                      () -> ctx.emit("a\u0000b", "x"),
                      () -> ctx.emit("x".repeat(256), "x"),
                      () -> ctx.emit("ok", new Object()),
                      () -> ctx.emit("ok", "x\u0000"),
                      () -> EventOptions.subject(" "),
                      () -> EventOptions.none().withHeader("Trace-Parent", "x"),
                      () -> EventOptions.none().withHeader("source", "x"),
                      () -> EventOptions.dedupeKey(""))) {
                try {
                  bad.run();
                } catch (StandpipeException e) {
                  thrown.add(e);
                }
              }
              return text;
            });
    Standpipe standpipe = engine().start(engine().process().serve(pipeline));
    standpipe.start(pipeline, "x").await(PATIENCE);
    assertThat(thrown).hasSize(9);
    assertThat(stored()).containsExactly("0");
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> Objects.requireNonNull(kept.get()).emit("late", "x"))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.STEP_ENDED));
    for (String bad : List.of("", "a b", "-x", "ü", "x".repeat(101))) {
      assertThatExceptionOfType(StandpipeException.class)
          .isThrownBy(() -> engine().process().sink(Sink.of(bad, events -> {})))
          .withMessageContaining("name of a sink");
    }
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(
            () ->
                engine()
                    .process()
                    .sink(Sink.of("twice", events -> {}), Sink.of("twice", events -> {})))
        .withMessageContaining("twice");
  }
}
