package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.OrderPipeline.Item;
import dev.standpipe.OrderPipeline.Label;
import dev.standpipe.OrderPipeline.Order;
import dev.standpipe.OrderPipeline.Parcel;
import dev.standpipe.OrderPipeline.Payment;
import dev.standpipe.OrderPipeline.Receipt;
import dev.standpipe.definition.NodeKind;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every way to write a body, called as the engine calls it. */
class StepBodyTest {
  private static final TypeToken<List<String>> STRINGS = new TypeToken<>() {};
  private static final TypeToken<Map<String, Integer>> COUNTS = new TypeToken<>() {};

  @Test
  void theOrderPipelineRunsByHand() throws Exception {
    Pipeline<Order, Receipt> pipeline = OrderPipeline.define();
    Item cup = new Item("cup", 1);
    Order order = new Order("o-1", List.of(cup));
    Payment payment = new Payment("o-1", "key-of-charge");

    assertThat(run(pipeline, "charge", order)).isEqualTo(payment);
    assertThat(run(pipeline, "items", order)).isEqualTo(List.of(cup));
    assertThat(run(pipeline, "pack", cup)).isEqualTo(new Parcel("cup"));
    assertThat(run(pipeline, "label", List.of(new Parcel("cup")))).isEqualTo(new Label(1));
    assertThat(run(pipeline, "receipt", payment, new Label(1)))
        .isEqualTo(new Receipt(payment, new Label(1)));
  }

  @Test
  void aStepCarriesItsSettingsAndType() {
    Pipeline<Order, Receipt> pipeline = OrderPipeline.define();
    StepDefinition charge = pipeline.step("charge").orElseThrow();
    assertThat(charge.kind()).isEqualTo(NodeKind.STEP);
    assertThat(charge.type().type()).isEqualTo(Payment.class);
    assertThat(charge.retry().limit()).isEqualTo(5);
    assertThat(charge.timeout()).contains(Duration.ofMinutes(2));

    StepDefinition items = pipeline.step("items").orElseThrow();
    assertThat(items.kind()).isEqualTo(NodeKind.EXPAND);
    assertThat(items.type().type()).isEqualTo(Item.class);
    assertThat(items.retry().limit()).isEqualTo(3);
    assertThat(items.timeout()).isEmpty();
    assertThat(pipeline.step("unknown")).isEmpty();
  }

  @Test
  void bodiesMayBeLambdasMethodReferencesAndClasses() throws Exception {
    Pipeline<String, Integer> pipeline =
        Pipeline.define(
            "flavours",
            String.class,
            Integer.class,
            flow ->
                flow.input()
                    .step("lambda", String.class, text -> text + "!")
                    .step("with-context", String.class, (text, ctx) -> text + ctx.node())
                    .step("reference", String.class, StepBodyTest::shout)
                    .step("context-reference", String.class, StepBodyTest::sign)
                    .step("unbound-reference", String.class, String::strip)
                    .step("class", String.class, new Suffix("?"))
                    .step("constructor", Label.class, StepBodyTest::labelled)
                    .step("supertype", Integer.class, (Record any) -> any.toString().length()));
    assertThat(run(pipeline, "lambda", "a")).isEqualTo("a!");
    assertThat(run(pipeline, "with-context", "a")).isEqualTo("awith-context");
    assertThat(run(pipeline, "reference", "a")).isEqualTo("A");
    assertThat(run(pipeline, "context-reference", "a")).isEqualTo("a by context-reference");
    assertThat(run(pipeline, "unbound-reference", " a ")).isEqualTo("a");
    assertThat(run(pipeline, "class", "a")).isEqualTo("a?");
    assertThat(run(pipeline, "constructor", "abc")).isEqualTo(new Label(3));
    assertThat(run(pipeline, "supertype", new Label(3))).isEqualTo("Label[parcels=3]".length());
  }

  @Test
  void joinsGetTheirValuesInOrder() throws Exception {
    Pipeline<String, String> pipeline =
        Pipeline.define("joins", String.class, String.class, StepBodyTest::joins);
    assertThat(run(pipeline, "two", "x", 1)).isEqualTo("x1");
    assertThat(run(pipeline, "two-ctx", "x", 1)).isEqualTo("x1two-ctx");
    assertThat(run(pipeline, "three", "x", 1, 2L)).isEqualTo("x12");
    assertThat(run(pipeline, "three-ctx", "x", 1, 2L)).isEqualTo("x121");
    assertThat(run(pipeline, "four", "x", 1, 2L, true)).isEqualTo("x12true");
    assertThat(run(pipeline, "four-ctx", "x", 1, 2L, true)).isEqualTo("x12true1");
    assertThat(run(pipeline, "numbers", 1, 2L)).isEqualTo(2);
    assertThat(run(pipeline, "all", "x", "y")).isEqualTo("xally");
  }

  @Test
  void genericTypesAreNamedByToken() throws Exception {
    Pipeline<List<String>, Map<String, Integer>> pipeline =
        Pipeline.define(
            "generic",
            STRINGS,
            COUNTS,
            flow -> {
              Node<List<String>> words = flow.input().step("words", STRINGS, texts -> texts);
              Each<List<String>> pairs =
                  words.expand("pairs", STRINGS, (texts, ctx) -> List.of(texts, texts));
              Node<Map<String, Integer>> sizes =
                  pairs
                      .step("same", STRINGS, (texts, ctx) -> texts)
                      .collapse("sizes", COUNTS, lists -> Map.of("lists", lists.size()));
              return Node.join(words, sizes)
                  .step("counts", COUNTS, (texts, sized) -> Map.of("words", texts.size()));
            });
    assertThat(pipeline.inputType()).isSameAs(STRINGS);
    assertThat(pipeline.outputType()).isSameAs(COUNTS);
    assertThat(pipeline.step("sizes").orElseThrow().type()).isSameAs(COUNTS);
    assertThat(run(pipeline, "pairs", List.of("a"))).isEqualTo(List.of(List.of("a"), List.of("a")));
    assertThat(run(pipeline, "sizes", List.of(List.of("a")))).isEqualTo(Map.of("lists", 1));
    assertThat(run(pipeline, "counts", List.of("a"), Map.of())).isEqualTo(Map.of("words", 1));
  }

  @Test
  void bodiesMayThrowCheckedExceptionsAndReturnNull() throws Exception {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "checked",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step("throws", String.class, StepBodyTest::unreadable)
                    .step("nothing", String.class, text -> null));
    assertThatThrownBy(() -> run(pipeline, "throws", "a")).isInstanceOf(IOException.class);
    assertThat(run(pipeline, "nothing", "a")).isNull();
  }

  @Test
  void aListGivenToABodyCannotBeChanged() {
    Pipeline<String, Boolean> pipeline =
        Pipeline.define(
            "frozen",
            String.class,
            Boolean.class,
            flow ->
                Node.all(List.of(flow.input()))
                    .step("add", Boolean.class, texts -> texts.add("more")));
    assertThatThrownBy(() -> run(pipeline, "add", "a"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  private static Node<String> joins(Flow<String> flow) {
    Node<String> a = flow.input().step("a", String.class, text -> text);
    Node<Integer> b = flow.input().step("b", Integer.class, String::length);
    Node<Long> c = flow.input().step("c", Long.class, text -> 3L);
    Node<Boolean> d = flow.input().step("d", Boolean.class, String::isEmpty);
    Node.join(a, b).step("two", String.class, (x, y) -> x + y);
    Node.join(a, b).step("two-ctx", String.class, (x, y, ctx) -> x + y + ctx.node());
    Node.join(a, b, c).step("three", String.class, (x, y, z) -> x + y + z);
    Node.join(a, b, c).step("three-ctx", String.class, (x, y, z, ctx) -> x + y + z + ctx.attempt());
    Node.join(a, b, c, d).step("four", String.class, (w, x, y, z) -> w + x + y + z);
    Node.join(a, b, c, d)
        .step("four-ctx", String.class, (w, x, y, z, ctx) -> w + x + y + z + ctx.token());
    Node.<Number>all(List.of(b, c)).step("numbers", Integer.class, numbers -> numbers.size());
    return Node.all(List.of(a, a))
        .step("all", String.class, (texts, ctx) -> String.join(ctx.node(), texts));
  }

  private static Object run(Pipeline<?, ?> pipeline, String key, Object... inputs)
      throws Exception {
    StepDefinition step = pipeline.step(key).orElseThrow();
    return step.body().run(Arrays.asList(inputs), new TestContext(pipeline.name(), key));
  }

  private static String shout(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  private static String sign(String text, StepContext ctx) {
    return text + " by " + ctx.node();
  }

  private static Label labelled(CharSequence text) {
    return new Label(text.length());
  }

  private static String unreadable(String text) throws IOException {
    throw new IOException("cannot read " + text);
  }

  private record Suffix(String suffix) implements StepBody<String, String> {
    @Override
    public String run(String input, StepContext ctx) {
      return input + suffix;
    }
  }
}
