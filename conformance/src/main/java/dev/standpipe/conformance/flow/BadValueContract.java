package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.HaltReason;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.StepFunction;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Values that cannot be written or read: the run halts at once with a message for people, and
 * nothing else is harmed, least of all what is committed in the same batch.
 */
public interface BadValueContract extends EnginePart {
  /** Cannot be written as JSON. */
  final class Unwritable {
    /** Fails whoever asks. */
    public String getName() {
      return List.<String>of().iterator().next();
    }
  }

  /** What the steps of this contract make; only a property of type Object can hold anything. */
  record Box(Object content) {}

  /** A step that makes a box with what is asked for, and one that looks into it. */
  private static Pipeline<String, String> boxes(StepFunction<String, Object> content) {
    return Pipeline.define(
        "boxes",
        String.class,
        String.class,
        flow -> {
          Node<Box> box = flow.input().step("make", Box.class, text -> new Box(content.run(text)));
          return box.step("look", String.class, value -> "a " + value.content());
        });
  }

  private static Object contentFor(String what) {
    return switch (what) {
      case "unwritable" -> new Unwritable();
      case "endless" -> endless();
      case "nul" -> "before\0after";
      case "surrogate" -> "half \ud83d";
      case "large" -> "x".repeat(5_000);
      default -> what;
    };
  }

  private static List<Object> endless() {
    List<Object> list = new ArrayList<>();
    list.add(list);
    return list;
  }

  @Test
  default void anUnstorableValueHaltsOnlyItsRun() throws InterruptedException {
    Pipeline<String, String> boxes = boxes(BadValueContract::contentFor);
    Map<String, String> messages =
        Map.of(
            "unwritable", "cannot be written as JSON",
            "endless", "cannot be written as JSON",
            "nul", "\\u0000",
            "surrogate", "half a surrogate pair",
            "large", "over the limit of 4096");
    List<String> inputs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      inputs.add("good " + i);
      inputs.addAll(messages.keySet());
    }
    Standpipe standpipe = engine().start(engine().process(boxes).maxValueBytes(4_096).maxBatch(50));
    List<Run<String>> runs = standpipe.startAll(boxes, inputs);
    for (int i = 0; i < runs.size(); i++) {
      Run<String> run = runs.get(i);
      String message = messages.get(inputs.get(i));
      if (message == null) {
        assertThat(run.await(PATIENCE)).isEqualTo("a " + inputs.get(i));
      } else {
        assertInvalid(run, "make", message);
      }
    }
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
  }

  private static void assertInvalid(Run<?> run, String node, String message) {
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("step \"" + node + "\" failed on attempt 1")
        .withMessageContaining(message);
    assertThat(run.status()).isEqualTo(RunStatus.HALTED);
    assertThat(run.info().haltReason()).contains(HaltReason.INVALID_VALUE);
    assertThat(run.attempts()).filteredOn(attempt -> attempt.node().equals(node)).hasSize(1);
  }

  @Test
  default void mistypedStoredTextHaltsTheReadingStep() throws InterruptedException {
    Pipeline<Object, String> loose =
        Pipeline.define(
            "reading",
            Object.class,
            String.class,
            flow -> flow.input().step("read", String.class, Object::toString));
    // the graph is the same: types are not part of it, and code may change
    Pipeline<Integer, String> strict =
        Pipeline.define(
            "reading",
            Integer.class,
            String.class,
            flow -> flow.input().step("read", String.class, n -> "" + (n + 1)));
    engine().serve(strict);
    Standpipe client = engine().client();
    assertThat(client.start(loose, 41).await(PATIENCE)).isEqualTo("42");
    assertInvalid(client.start(loose, "forty-one"), "read", "does not fit the type");
    assertInvalid(client.start(loose, Map.of("n", 1)), "read", "does not fit the type");
    assertThat(client.start(loose, 1).await(PATIENCE)).isEqualTo("2");
  }

  /** Can be written as JSON, and not be read back. */
  final class Sealed {
    private final String text;

    private Sealed(String text) {
      this.text = text;
    }

    /** What is written. */
    public String getText() {
      return text;
    }
  }

  @Test
  default void anUnreadableValueHaltsTheStepThatReturnsIt() {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "sealed",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step("seal", Sealed.class, text -> new Sealed(text))
                    .step("open", String.class, Sealed::getText));
    assertInvalid(
        engine().serve(pipeline).start(pipeline, "letter"), "seal", "could not be read back");
  }

  @Test
  default void aBadElementHaltsTheExpand() {
    Pipeline<String, Integer> pipeline =
        Pipeline.define(
            "elements",
            String.class,
            Integer.class,
            flow ->
                flow.input()
                    .expand("items", String.class, BadValueContract::items)
                    .step("pass", String.class, item -> item)
                    .collapse("count", Integer.class, List::size));
    Standpipe standpipe = engine().serve(pipeline);
    assertInvalid(standpipe.start(pipeline, "nul"), "items", "\\u0000");
    assertInvalid(standpipe.start(pipeline, "null"), "items", "returned null");
  }

  @SuppressWarnings("NullAway") // what happens then is the test
  private static List<String> items(String what) {
    return what.equals("null") ? null : List.of("fine", "\0", "fine");
  }

  @Test
  default void aStartRefusesAnUnstorableInput() {
    Standpipe client = engine().client();
    Pipeline<Object, Object> any =
        Pipeline.define(
            "any",
            Object.class,
            Object.class,
            flow -> flow.input().step("same", Object.class, value -> value));
    for (String what : List.of("unwritable", "endless", "nul", "surrogate")) {
      assertThatExceptionOfType(InvalidValueException.class)
          .isThrownBy(() -> client.start(any, contentFor(what)));
    }
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> client.start(any, "x".repeat(2 << 20), RunOptions.none()))
        .withMessageContaining("1048576");
    assertThat(engine().query("select count(*) from standpipe_run")).containsExactly("0");
  }

  @Test
  default void aThrowingCodecFailsOnlyItsStep() throws InterruptedException {
    Pipeline<String, String> pipeline = single("codec", (text, ctx) -> text);
    Standpipe standpipe =
        engine().start(engine().process(pipeline).codec(new BrokenCodec("bad value")));
    Run<String> good = standpipe.start(pipeline, "good value");
    assertThat(good.await(PATIENCE)).isEqualTo("good value");
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> standpipe.start(pipeline, "bad value"))
        .withMessageContaining("broken");
  }

  /** Writes text as it is, but for one. */
  record BrokenCodec(String breaksOn) implements PayloadCodec {
    @Override
    public String encode(@Nullable Object value, Type type) {
      if (breaksOn.equals(value)) {
        throw new IllegalStateException("broken");
      }
      return String.valueOf(value);
    }

    @Override
    public Object decode(String text, Type type) {
      return text;
    }
  }
}
