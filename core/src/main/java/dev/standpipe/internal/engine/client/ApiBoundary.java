package dev.standpipe.internal.engine.client;

import dev.standpipe.Standpipe;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.port.LaneGoneException;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.operate.Operator;
import dev.standpipe.outbox.Outbox;
import dev.standpipe.schedule.Schedules;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one place where a failure of the store becomes an exception that callers can name. Every call
 * from outside that may reach the database passes here.
 */
public final class ApiBoundary {
  /** Where the interfaces are that callers get implementations of. */
  private static final Set<String> API =
      Set.of(
          Standpipe.class.getPackageName(),
          Operator.class.getPackageName(),
          Schedules.class.getPackageName(),
          Outbox.class.getPackageName());

  private ApiBoundary() {}

  /**
   * What a caller must not leave out.
   *
   * @param what how people call it
   */
  public static <T> T given(@Nullable T value, String what) {
    if (value == null) {
      throw new StandpipeException(
          ErrorCode.INVALID_ARGUMENT, "The %s is null: give one".formatted(what));
    }
    return value;
  }

  /** Makes a call for a user of the API. */
  public static <T> T call(Supplier<T> inside) {
    try {
      return inside.get();
    } catch (StoreException | LaneGoneException e) {
      throw forCallers(e);
    }
  }

  private static StandpipeException forCallers(StandpipeException inside) {
    return inside instanceof StoreException failed
        ? failed.forCallers()
        : new StandpipeException(inside.code(), String.valueOf(inside.getMessage()), inside);
  }

  /**
   * An implementation of an interface of the API as callers get it: each of its methods passes
   * here, also those that are yet to be added, and so does what they return if that is a part of
   * the API itself.
   */
  static <T> T around(Class<T> api, T inside) {
    Object outside =
        Proxy.newProxyInstance(
            ApiBoundary.class.getClassLoader(), new Class<?>[] {api}, new Passage(inside));
    return api.cast(outside);
  }

  private record Passage(Object inside) implements InvocationHandler {
    @Override
    public @Nullable Object invoke(Object outside, Method method, Object @Nullable [] arguments)
        throws Throwable {
      if (method.getDeclaringClass() == Object.class) {
        return ofObject(outside, method, arguments);
      }
      requireAll(method, arguments);
      try {
        Object answer = method.invoke(inside, arguments);
        Class<?> type = method.getReturnType();
        boolean passes = type.isInterface() && API.contains(type.getPackageName());
        return passes && answer != null ? wrapped(type, answer) : answer;
      } catch (InvocationTargetException e) {
        throw e.getCause() instanceof StoreException || e.getCause() instanceof LaneGoneException
            ? forCallers((StandpipeException) e.getCause())
            : e.getCause();
      }
    }

    /** No part of the API behind this takes null. */
    private static void requireAll(Method method, Object @Nullable [] arguments) {
      for (int i = 0; i < method.getParameterCount(); i++) {
        Class<?> type = method.getParameterTypes()[i];
        given(
            arguments == null ? null : arguments[i],
            "%s given to %s".formatted(type.getSimpleName(), method.getName()));
      }
    }

    private static <T> T wrapped(Class<T> type, Object answer) {
      return around(type, type.cast(answer));
    }

    private @Nullable Object ofObject(
        Object outside, Method method, Object @Nullable [] arguments) {
      return switch (method.getName()) {
        case "equals" -> arguments != null && outside == arguments[0];
        case "hashCode" -> System.identityHashCode(outside);
        default -> inside.toString();
      };
    }
  }
}
