package dev.standpipe.internal.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
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
import java.util.Collection;
import java.util.Currency;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The types of Java itself that are known to come back as they were; a test tries them all. */
final class ValueTypes {
  private static final Set<Class<?>> PLAIN =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          Character.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class,
          URI.class,
          URL.class,
          Currency.class,
          AtomicBoolean.class,
          AtomicInteger.class,
          AtomicLong.class,
          Instant.class,
          Duration.class,
          Period.class,
          Year.class,
          YearMonth.class,
          MonthDay.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          OffsetTime.class,
          OffsetDateTime.class,
          ZonedDateTime.class,
          ZoneId.class,
          ZoneOffset.class,
          Void.class);

  private static final Set<Class<?>> KEYS =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          Character.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class,
          URI.class,
          Currency.class,
          Instant.class,
          Duration.class,
          Period.class,
          Year.class,
          MonthDay.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          OffsetTime.class,
          OffsetDateTime.class,
          ZonedDateTime.class,
          ZoneId.class,
          ZoneOffset.class);

  /** Without those in an order that is part of the value: only the value tells which. */
  private static final Set<Class<?>> CONTAINERS =
      Set.of(
          Collection.class,
          List.class,
          ArrayList.class,
          LinkedList.class,
          Set.class,
          HashSet.class,
          LinkedHashSet.class,
          EnumSet.class,
          Map.class,
          HashMap.class,
          LinkedHashMap.class,
          EnumMap.class);

  private ValueTypes() {}

  /** A single value, as text or a number. */
  static boolean isPlain(Class<?> type) {
    return type.isPrimitive() || PLAIN.contains(type);
  }

  /** A type that can be the key of a map. */
  static boolean isKey(Class<?> type) {
    return KEYS.contains(type) || type.isEnum();
  }

  /** A type that holds values of other types, which decide. */
  static boolean isContainer(Class<?> type) {
    return type.isArray() || CONTAINERS.contains(type);
  }

  /** A number that may have more digits, or a larger exponent, than can be read. */
  static boolean isUnbounded(Class<?> type) {
    return type == BigInteger.class || type == BigDecimal.class;
  }
}
