package dev.standpipe.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.TypeToken;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** Whatever of Java's values a pipeline passes on: it comes back as it was, wherever it is put. */
class ValueProperties {
  private final PayloadCodec codec = PayloadCodec.json();

  enum Color {
    RED {
      @Override
      public String toString() {
        return "a color";
      }
    },
    BLUE {
      @Override
      public String toString() {
        return "a color";
      }
    }
  }

  record Box<T>(T content, @Nullable T nothing, List<T> more, Map<String, T> named) {}

  sealed interface Shape permits Circle, Group, Nothing, Color2 {}

  record Circle(double radius, BigDecimal price) implements Shape {}

  record Group(List<Shape> shapes, Map<Color, Shape> colored, Optional<Shape> first)
      implements Shape {
    Group {
      shapes = List.copyOf(shapes);
    }
  }

  record Nothing() implements Shape {}

  enum Color2 implements Shape {
    GREEN,
    YELLOW {}
  }

  /** Type parameters reach through a sealed type to what its classes hold. */
  sealed interface Reply<T> permits Good, Bad, Both {}

  record Good<T>(T value) implements Reply<T> {}

  record Bad<T>(String why, List<T> instead) implements Reply<T> {}

  record Both<T>(Map<String, Reply<T>> replies, Optional<T> last) implements Reply<T> {}

  /** A value, and the type declared for it. */
  record Sample(Object value, Type type) {}

  @Property(tries = 1_000)
  void valuesReadBackUnchanged(@ForAll long seed) {
    Random random = new Random(seed);
    comesBack(sample(random));
  }

  @Property(tries = 400)
  void nestedValuesReadBackUnchanged(@ForAll long seed) {
    Random random = new Random(seed);
    Sample in = sample(random);
    Object value = in.value();
    if (value.getClass().getSimpleName().startsWith("Optional")) {
      return; // one that is missing is refused
    }
    Type box = generic(Box.class, in.type());
    Map<String, Object> named = new LinkedHashMap<>();
    named.put("b", value);
    named.put("a", null);
    List<Object> more = new ArrayList<>(Arrays.asList(value, null, value));
    comesBack(new Sample(new Box<>(value, null, more, named), box));
    comesBack(new Sample(more, generic(List.class, in.type())));
    comesBack(new Sample(named, generic(Map.class, String.class, in.type())));
    comesBack(new Sample(Optional.of(value), generic(Optional.class, in.type())));
    comesBack(
        new Sample(
            List.of(Optional.of(value)), generic(List.class, generic(Optional.class, in.type()))));
  }

  @Property(tries = 400)
  void mapKeysReadBackUnchanged(@ForAll long seed) {
    Random random = new Random(seed);
    Sample key = key(random);
    comesBack(new Sample(Map.of(key.value(), 1), generic(Map.class, key.type(), Integer.class)));
    comesBack(
        new Sample(
            Map.of(key.value(), Map.of(key.value(), "x")),
            generic(Map.class, key.type(), generic(Map.class, key.type(), String.class))));
  }

  @Property(tries = 300)
  void sealedTypesReadBackUnchanged(@ForAll long seed) {
    Random random = new Random(seed);
    Shape shape = shape(random, 3);
    comesBack(new Sample(shape, Shape.class));
    comesBack(new Sample(List.of(shape), new TypeToken<List<Shape>>() {}.type()));
    comesBack(new Sample(Map.of("a", shape), new TypeToken<Map<String, Shape>>() {}.type()));
    comesBack(new Sample(Optional.of(shape), new TypeToken<Optional<Shape>>() {}.type()));
    comesBack(new Sample(new Shape[] {shape, null}, Shape[].class));
    Type own = InferredType.of(shape);
    assertThat(codec.decode(codec.encode(shape, own), Shape.class)).isEqualTo(shape);
  }

  @Property(tries = 300)
  void genericSealedTypesReadBackUnchanged(@ForAll long seed) {
    Random random = new Random(seed);
    Shape shape = shape(random, 2);
    Reply<Shape> reply =
        switch (random.nextInt(3)) {
          case 0 -> new Good<>(shape);
          case 1 -> new Bad<>("no", List.of(shape, shape(random, 1)));
          default ->
              new Both<>(
                  Map.of("a", new Good<>(shape), "b", new Bad<>("no", List.of(shape))),
                  Optional.of(shape));
        };
    Type type = new TypeToken<Reply<Shape>>() {}.type();
    comesBack(new Sample(reply, type));
    comesBack(new Sample(List.of(reply), generic(List.class, type)));
    comesBack(new Sample(Map.of("a", reply), generic(Map.class, String.class, type)));
    comesBack(new Sample(Optional.of(reply), generic(Optional.class, type)));
    comesBack(new Sample(new Good<>(reply), generic(Good.class, type)));
    comesBack(
        new Sample(new Good<>(List.of(reply)), generic(Reply.class, generic(List.class, type))));
    Sample any = sample(random);
    comesBack(new Sample(new Good<>(any.value()), generic(Reply.class, any.type())));
    assertThat(codec.fingerprint(reply, type)).isEqualTo(codec.fingerprint(reply, type));
  }

  private void comesBack(Sample sample) {
    String text = codec.encode(sample.value(), sample.type());
    Object back = codec.decode(text, sample.type());
    assertThat(Likeness.of(sample.value(), back, () -> false))
        .as("%s as %s: %s, read as %s", sample.value(), sample.type(), text, back)
        .isTrue();
    if (!(sample.value() instanceof Object[]) && !hasArrays(sample.type())) {
      assertThat(back).isEqualTo(sample.value());
    }
    assertThat(codec.encode(back, sample.type())).isEqualTo(text);
  }

  private static boolean hasArrays(Type type) {
    return type.getTypeName().contains("[]") || type.getTypeName().contains("class [");
  }

  private static Sample sample(Random random) {
    return switch (random.nextInt(24)) {
      case 0 -> new Sample(number(random), Double.class);
      case 1 -> new Sample((float) number(random), Float.class);
      case 2 -> new Sample(random.nextInt() >> random.nextInt(32), Integer.class);
      case 3 -> new Sample((char) (' ' + random.nextInt(0xd700)), Character.class);
      case 4 -> new Sample((byte) random.nextInt(), Byte.class);
      case 5 -> new Sample((short) random.nextInt(), Short.class);
      case 6 -> new Sample(OptionalInt.of(random.nextInt()), OptionalInt.class);
      case 7 -> new Sample(OptionalLong.empty(), OptionalLong.class);
      case 8 -> new Sample(OptionalDouble.of(number(random)), OptionalDouble.class);
      case 9 -> new Sample(random.doubles(3).map(d -> d / 0).toArray(), double[].class);
      case 10 -> new Sample(random.ints(4).toArray(), int[].class);
      case 11 -> new Sample(bytes(random), byte[].class);
      case 12 -> new Sample("text".toCharArray(), char[].class);
      case 13 -> new Sample(new long[][] {{random.nextLong()}, {}}, long[][].class);
      case 14 -> new Sample(new boolean[] {true, random.nextBoolean()}, boolean[].class);
      case 15 -> new Sample(EnumSet.of(color(random)), new TypeToken<EnumSet<Color>>() {}.type());
      case 16 ->
          new Sample(
              new EnumMap<>(Map.of(color(random), random.nextInt())),
              new TypeToken<EnumMap<Color, Integer>>() {}.type());
      case 17 -> new Sample(new HashSet<>(texts(random)), new TypeToken<Set<String>>() {}.type());
      case 18 ->
          new Sample(new TreeSet<>(texts(random)), new TypeToken<TreeSet<String>>() {}.type());
      case 19 ->
          new Sample(
              new TreeMap<>(Map.of(random.nextInt(), texts(random))),
              new TypeToken<TreeMap<Integer, List<String>>>() {}.type());
      case 20 -> new Sample(locale(random), Locale.class);
      default -> key(random);
    };
  }

  private static Sample key(Random random) {
    return switch (random.nextInt(26)) {
      case 0 -> new Sample(random.nextLong() >> random.nextInt(64), Long.class);
      case 1 -> new Sample(new BigInteger(random.nextInt(300), random), BigInteger.class);
      case 2 -> new Sample(decimal(random), BigDecimal.class);
      case 3 -> new Sample(new UUID(random.nextLong(), random.nextLong()), UUID.class);
      case 4 -> new Sample(URI.create("urn:a:" + random.nextInt() + "?b=%20ä"), URI.class);
      case 5 -> new Sample(pick(random, Currency.getAvailableCurrencies()), Currency.class);
      case 6 -> new Sample(instant(random), Instant.class);
      case 7 -> new Sample(duration(random), Duration.class);
      case 8 -> new Sample(period(random), Period.class);
      case 9 -> new Sample(Year.of(date(random).getYear()), Year.class);
      case 10 ->
          new Sample(YearMonth.of(1 + random.nextInt(9_999), month(random)), YearMonth.class);
      case 11 -> new Sample(MonthDay.from(date(random)), MonthDay.class);
      case 12 -> new Sample(date(random), LocalDate.class);
      case 13 -> new Sample(time(random), LocalTime.class);
      case 14 -> new Sample(LocalDateTime.of(date(random), time(random)), LocalDateTime.class);
      case 15 -> new Sample(OffsetTime.of(time(random), offset(random)), OffsetTime.class);
      case 16 ->
          new Sample(
              OffsetDateTime.of(date(random), time(random), offset(random)), OffsetDateTime.class);
      case 17 ->
          new Sample(
              ZonedDateTime.of(date(random), time(random), zone(random)), ZonedDateTime.class);
      case 18 -> new Sample(zone(random), ZoneId.class);
      case 19 -> new Sample(offset(random), ZoneOffset.class);
      case 20 -> new Sample(pick(random, EnumSet.allOf(DayOfWeek.class)), DayOfWeek.class);
      case 21 -> new Sample(month(random), Month.class);
      case 22 -> new Sample(color(random), Color.class);
      case 23 -> new Sample(random.nextBoolean(), Boolean.class);
      default -> new Sample(texts(random).get(0), String.class);
    };
  }

  private static Shape shape(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 4 : 3)) {
      case 0 -> new Circle(number(random), decimal(random));
      case 1 -> new Nothing();
      case 2 -> random.nextBoolean() ? Color2.GREEN : Color2.YELLOW;
      default ->
          new Group(
              List.of(shape(random, depth - 1), shape(random, depth - 1)),
              Map.of(color(random), shape(random, depth - 1)),
              random.nextBoolean() ? Optional.empty() : Optional.of(shape(random, depth - 1)));
    };
  }

  private static double number(Random random) {
    double[] odd = {
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      -0.0,
      0.0,
      Double.MIN_VALUE,
      Double.MAX_VALUE
    };
    return random.nextBoolean()
        ? odd[random.nextInt(odd.length)]
        : Double.longBitsToDouble(random.nextLong());
  }

  private static BigDecimal decimal(Random random) {
    return new BigDecimal(
        new BigInteger(random.nextInt(200), random), random.nextInt(2_000) - 1_000);
  }

  private static Instant instant(Random random) {
    return Instant.ofEpochSecond(
        random.nextLong() % Instant.MAX.getEpochSecond(), random.nextInt(1_000_000_000));
  }

  private static Duration duration(Random random) {
    return Duration.ofSeconds(
        random.nextLong() >> random.nextInt(64), random.nextInt(1_000_000_000));
  }

  private static Period period(Random random) {
    return Period.of(random.nextInt(), random.nextInt() >> 8, random.nextInt() >> 16);
  }

  private static LocalDate date(Random random) {
    return random.nextBoolean()
        ? LocalDate.ofEpochDay(random.nextInt(40_000) - 10_000)
        : LocalDate.ofYearDay(
            (random.nextInt() >> random.nextInt(32)) % Year.MAX_VALUE, 1 + random.nextInt(365));
  }

  private static LocalTime time(Random random) {
    LocalTime time = LocalTime.ofNanoOfDay(Math.floorMod(random.nextLong(), 86_400_000_000_000L));
    return random.nextBoolean() ? time.withSecond(0).withNano(0) : time;
  }

  private static ZoneOffset offset(Random random) {
    int seconds = random.nextInt(2 * 18 * 3_600 + 1) - 18 * 3_600;
    return ZoneOffset.ofTotalSeconds(random.nextBoolean() ? seconds : seconds / 1_800 * 1_800);
  }

  private static ZoneId zone(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> offset(random);
      case 1 -> ZoneId.of(List.of("UTC", "GMT", "GMT+2", "UT+01:30").get(random.nextInt(4)));
      default -> ZoneId.of(pick(random, ZoneId.getAvailableZoneIds()));
    };
  }

  private static Month month(Random random) {
    return Month.of(1 + random.nextInt(12));
  }

  private static Color color(Random random) {
    return random.nextBoolean() ? Color.RED : Color.BLUE;
  }

  private static Locale locale(Random random) {
    return pick(
        random,
        List.of(Locale.ROOT, Locale.GERMANY, Locale.CHINA, Locale.forLanguageTag("zh-Hant")));
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(40)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static List<String> texts(Random random) {
    List<String> odd =
        List.of("", " ", "\"", "\\u0000", "a\nb", "💧", "@type", "null", "ß", "\u2028");
    return List.of(odd.get(random.nextInt(odd.size())), "text" + random.nextInt());
  }

  private static <T> T pick(Random random, java.util.Collection<T> from) {
    List<T> sorted =
        from.stream().sorted(java.util.Comparator.comparing(Objects::toString)).toList();
    return sorted.get(random.nextInt(sorted.size()));
  }

  private static ParameterizedType generic(Class<?> raw, Type... of) {
    return new ParameterizedType() {
      @Override
      public Type[] getActualTypeArguments() {
        return of;
      }

      @Override
      public Type getRawType() {
        return raw;
      }

      @Override
      public Type getOwnerType() {
        return raw.getEnclosingClass();
      }

      @Override
      public String toString() {
        return raw.getSimpleName() + Arrays.toString(of);
      }

      @Override
      public String getTypeName() {
        return toString();
      }
    };
  }
}
