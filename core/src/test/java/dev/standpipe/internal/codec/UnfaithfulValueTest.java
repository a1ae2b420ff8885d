package dev.standpipe.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.standpipe.TypeToken;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.spi.PayloadCodec;
import java.io.File;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Comparator;
import java.util.GregorianCalendar;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** What would not come back as it was is refused when it is written, or before. */
class UnfaithfulValueTest {
  private final PayloadCodec codec = PayloadCodec.json();

  @Test
  void hiddenStateIsNotLostSilently() {
    refuses(new Secretive(1, "kept"), Secretive.class, "it is not what it was");
    assertThat(roundTrip(new Secretive(1, null), Secretive.class))
        .usingRecursiveComparison()
        .isEqualTo(new Secretive(1, null));
    refuses(new Kotlinesque("a", 1), Kotlinesque.class, "Kotlinesque");
  }

  @Test
  void aRecordWithItsOwnCodeMustReadBackUnchanged() {
    refuses(new Shouting("a"), Shouting.class, "it is not what it was");
    refuses(new Doubling(1), Doubling.class, "it is not what it was");
    refuses(new Named2("a"), Named2.class, "it is not what it was");
    refuses(new Flagged(true), Flagged.class, "it is not what it was");
    refuses(List.of(new Doubling(1)), new TypeToken<List<Doubling>>() {}.type(), "not what it was");
    assertThat(roundTrip(new Shouting("A"), Shouting.class)).isEqualTo(new Shouting("A"));
    assertThat(roundTrip(new Trimmed(" a "), Trimmed.class)).isEqualTo(new Trimmed("a"));
    assertThat(roundTrip(new Careful(List.of(1)), Careful.class))
        .isEqualTo(new Careful(List.of(1)));
  }

  @Test
  void onlyPlainRecordsAreTrustedUnchecked() {
    assertThat(RecordCode.isPlain(Wide.class)).isTrue();
    assertThat(RecordCode.isPlain(Tree.Leaf.class)).isTrue();
    assertThat(RecordCode.isPlain(Nothing.class)).isTrue();
    assertThat(RecordCode.isPlain(Shouting.class)).isFalse();
    assertThat(RecordCode.isPlain(Doubling.class)).isFalse();
    assertThat(RecordCode.isPlain(Trimmed.class)).isFalse();
    assertThat(RecordCode.isPlain(Swapped.class)).isFalse();
  }

  @Test
  void anUnwrittenOrderIsNotLostSilently() {
    Type sorted = new TypeToken<SortedSet<String>>() {}.type();
    SortedSet<String> backwards = new TreeSet<>(Comparator.reverseOrder());
    backwards.addAll(List.of("a", "b"));
    refuses(backwards, sorted, "it is not what it was");
    assertThat(roundTrip(new TreeSet<>(backwards.headSet("a")), Set.class)).isEqualTo(Set.of("b"));
    assertThat(roundTrip(new TreeSet<>(Set.of("a", "b")), sorted)).isEqualTo(Set.of("a", "b"));
    SortedMap<String, Integer> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.put("A", 1);
    refuses(anyCase, new TypeToken<TreeMap<String, Integer>>() {}.type(), "not what it was");
    refuses(
        new PriorityQueue<>(List.of(2, 1)), new TypeToken<Queue<Integer>>() {}.type(), "not what");
  }

  @Test
  void aSubclassIsNotReducedToTheClassDeclared() {
    refuses(new Dog(), Animal.class, "it is not what it was");
    assertThat(roundTrip(new Dog(), Dog.class)).usingRecursiveComparison().isEqualTo(new Dog());
  }

  @SuppressWarnings("NullOptional") // people do that
  @Test
  void aNullIsNotAnEmptyOptional() {
    refuses(new Noted(null), Noted.class, "it is not what it was");
    assertThat(roundTrip(new Noted(Optional.empty()), Noted.class))
        .isEqualTo(new Noted(Optional.empty()));
  }

  @Test
  void objectTypesTakeOnlyPlainJson() {
    Type map = new TypeToken<Map<String, Object>>() {}.type();
    Map<String, Object> plain = Map.of("a", 1, "b", List.of("c", 1.5, true), "d", Map.of());
    assertThat(roundTrip(plain, map)).isEqualTo(plain);
    refuses(Map.of("a", new BigDecimal("0.10")), map, "Declare the type");
    refuses(Map.of("a", Instant.EPOCH), map, "Declare the type");
    refuses(Map.of("a", 1.1f), map, "Declare the type");
    refuses(new Noted(Optional.of("x")), Object.class, "Declare the type");
    refuses(new BigDecimal("1.50"), Number.class, "Declare the type");
  }

  @Test
  void lossyJdkTypesAreRefused() {
    refuses(Timestamp.valueOf("2024-01-01 00:00:00.123456"), Timestamp.class, "not what it was");
    refuses(new GregorianCalendar(TimeZone.getTimeZone("Asia/Tokyo")), Calendar.class, "not what");
    refuses(Path.of("relative"), Path.class, "not what it was");
    refuses(new File("relative"), File.class, "not what it was");
  }

  @Test
  void unreadableNumbersAreNotWritten() {
    refuses(BigInteger.TEN.pow(1_500), BigInteger.class, "could not be read back");
    refuses(new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE), BigDecimal.class, "read back");
    refuses(
        List.of(new BigDecimal(BigInteger.TEN.pow(1_500))),
        new TypeToken<List<BigDecimal>>() {}.type(),
        "could not be read back");
    String key = "k".repeat(60_000);
    Type map = new TypeToken<Map<String, Integer>>() {}.type();
    assertThat(roundTrip(Map.of(key, 1), map)).isEqualTo(Map.of(key, 1));
  }

  @Test
  void someTypesCanNeverBeStoredAndSayWhy() {
    problem(Hollow.class, "has no properties");
    problem(Class.class, "the name of a class");
    problem(new TypeToken<List<Class<?>>>() {}.type(), "the name of a class");
    problem(ByClass.class, "stores names of classes");
    problem(Pattern.class, "store what it is made of");
    problem(new TypeToken<Stream<String>>() {}.type(), "store what it is made of");
    problem(Runnable.class, "store what it is made of");
    problem(Open.class, "is abstract");
    problem(new TypeToken<Map<Key, Integer>>() {}.type(), "keys of maps are text");
    problem(new TypeToken<Optional<Optional<String>>>() {}.type(), "Optional in an Optional");
    problem(Clashing.class, "are called Same");
    problem(Torn.class, "Torn cannot be read: Conflicting");
    problem(new TypeToken<Reply<Torn>>() {}.type(), "Torn cannot be read: Conflicting");
    assertThat(codec.problems(Named.class)).isEmpty();
    assertThat(codec.problems(Tree.class)).isEmpty();
    assertThatThrownBy(() -> codec.decode("\"java.lang.String\"", Class.class))
        .isInstanceOf(InvalidValueException.class);
  }

  @Test
  void annotationsApplyWhereverTheTypeIsUsed() {
    List<Named> both = List.of(new Named.One(1), new Named.Two("2"));
    Type list = new TypeToken<List<Named>>() {}.type();
    assertThat(codec.encode(both, list))
        .isEqualTo("[{\"kind\":\"one\",\"a\":1},{\"kind\":\"two\",\"b\":\"2\"}]");
    assertThat(roundTrip(both, list)).isEqualTo(both);
    Map<String, Named> map = Map.of("x", new Named.Two("2"));
    assertThat(roundTrip(map, new TypeToken<Map<String, Named>>() {}.type())).isEqualTo(map);
    Optional<Named> maybe = Optional.of(new Named.One(1));
    assertThat(roundTrip(maybe, new TypeToken<Optional<Named>>() {}.type())).isEqualTo(maybe);
    assertThat(codec.decode(codec.encode(both, InferredType.of(both)), list)).isEqualTo(both);
  }

  @Test
  void storedNamesCreateOnlyClassesOfTheSealedType() {
    assertThat(codec.encode(new Tree.Leaf(1), Tree.class))
        .isEqualTo("{\"@type\":\"Leaf\",\"n\":1}");
    for (String name : List.of("java.lang.String", Tree.Leaf.class.getName(), "Other", "")) {
      assertThatThrownBy(() -> codec.decode("{\"@type\":\"" + name + "\",\"n\":1}", Tree.class))
          .isInstanceOf(InvalidValueException.class);
    }
    assertThatThrownBy(() -> codec.decode("{\"@type\":\"Leaf\",\"n\":1}", Tree.Fork.class))
        .isInstanceOf(InvalidValueException.class);
  }

  @Test
  void mixedSealedClassesInferTheirSealedType() {
    Type inferred =
        InferredType.of(Arrays.asList(new Tree.Leaf(1), null, new Tree.Fork(null, null)));
    assertThat(inferred.getTypeName()).contains("Tree").doesNotContain("Leaf");
    assertThat(InferredType.of(new ArrayList<>(List.of(1, "a"))).getTypeName()).contains("Object");
  }

  @Test
  void theFingerprintDoesNotDependOnTheOrderOfASet() {
    Set<Tree> one = new LinkedHashSet<>(List.of(new Tree.Leaf(1), new Tree.Leaf(2)));
    Set<Tree> other = new LinkedHashSet<>(List.of(new Tree.Leaf(2), new Tree.Leaf(1)));
    Type type = new TypeToken<Set<Tree>>() {}.type();
    assertThat(codec.fingerprint(one, type)).isEqualTo(codec.fingerprint(other, type));
    Type nested = new TypeToken<Map<String, List<Set<Tree>>>>() {}.type();
    assertThat(codec.fingerprint(Map.of("a", List.of(one)), nested))
        .isEqualTo(codec.fingerprint(Map.of("a", List.of(other)), nested));
    Type list = new TypeToken<List<Tree>>() {}.type();
    assertThat(codec.fingerprint(List.copyOf(one), list))
        .isNotEqualTo(codec.fingerprint(List.copyOf(other), list));
    assertThat(codec.fingerprint(new BigDecimal("0.1000000000000000000001"), BigDecimal.class))
        .isNotEqualTo(
            codec.fingerprint(new BigDecimal("0.1000000000000000000002"), BigDecimal.class));
  }

  @Test
  void aCustomMapperIsCheckedToo() {
    PayloadCodec own = PayloadCodec.json(JsonMapper.builder().build());
    Type list = new TypeToken<List<Tree>>() {}.type();
    List<Tree> trees = List.of(new Tree.Leaf(1), new Tree.Fork(new Tree.Leaf(2), null));
    assertThat(own.decode(own.encode(trees, list), list)).isEqualTo(trees);
    assertThatThrownBy(() -> own.encode(new Secretive(1, "kept"), Secretive.class))
        .isInstanceOf(InvalidValueException.class);
  }

  private Object roundTrip(Object value, Type type) {
    return codec.decode(codec.encode(value, type), type);
  }

  private void refuses(Object value, Type type, String message) {
    assertThatThrownBy(() -> codec.encode(value, type))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining(message);
  }

  private void problem(Type type, String problem) {
    assertThat(codec.problems(type)).singleElement().asString().contains(problem);
    assertThatThrownBy(() -> codec.encode(null, type)).isInstanceOf(InvalidValueException.class);
  }

  static final class Secretive {
    private int shown;
    private String hidden;

    Secretive() {}

    Secretive(int shown, String hidden) {
      this.shown = shown;
      this.hidden = hidden;
    }

    public int getShown() {
      return shown;
    }

    public void setShown(int shown) {
      this.shown = shown;
    }

    String hidden() {
      return hidden;
    }
  }

  /** What a data class of Kotlin looks like from here: getters, and a constructor without names. */
  static final class Kotlinesque {
    private final String first;
    private final int second;

    Kotlinesque(String first, int second) {
      this.first = first;
      this.second = second;
    }

    public String getFirst() {
      return first;
    }

    public int getSecond() {
      return second;
    }
  }

  record Shouting(String name) {
    @Override
    public String name() {
      return name.toUpperCase(Locale.ROOT);
    }
  }

  record Doubling(int n) {
    Doubling {
      n = n * 2;
    }
  }

  record Trimmed(String text) {
    Trimmed {
      text = text.strip();
    }
  }

  record Careful(List<Integer> all) {
    Careful {
      all = List.copyOf(all);
    }
  }

  record Swapped(int a, int b) {
    Swapped(int a, int b) {
      this.a = b;
      this.b = a;
    }
  }

  record Named2(String name) {
    public String getName() {
      return "another";
    }
  }

  record Flagged(boolean flag) {
    public boolean isFlag() {
      return !flag;
    }
  }

  record Wide(long a, double b, int c, float d, Object e, String f) {}

  record Nothing() {}

  /** Jackson cannot tell which of its methods it is to be read with. */
  record Torn(String text) {
    static Torn valueOf(String text) {
      return new Torn(text);
    }

    static Torn fromString(String text) {
      return new Torn(text);
    }
  }

  sealed interface Reply<T> permits Reply.Good, Reply.Bad {
    record Good<T>(T value) implements Reply<T> {}

    record Bad<T>(String why) implements Reply<T> {}
  }

  static class Animal {
    public int legs = 4;
  }

  static final class Dog extends Animal {
    public String name = "Rex";
  }

  record Noted(Optional<String> note) {}

  static final class Hollow {
    private final int inside = 5;

    int inside() {
      return inside;
    }
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  interface ByClass {}

  interface Open {}

  record Key(String text) {}

  sealed interface Clashing permits A, B {}

  sealed interface A extends Clashing permits A.Same {
    record Same() implements A {}
  }

  sealed interface B extends Clashing permits B.Same {
    record Same() implements B {}
  }

  sealed interface Tree permits Tree.Leaf, Tree.Fork {
    record Leaf(int n) implements Tree {}

    record Fork(Tree left, Tree right) implements Tree {}
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({@JsonSubTypes.Type(Named.One.class), @JsonSubTypes.Type(Named.Two.class)})
  interface Named {
    @JsonTypeName("one")
    record One(int a) implements Named {}

    @JsonTypeName("two")
    record Two(String b) implements Named {}
  }
}
