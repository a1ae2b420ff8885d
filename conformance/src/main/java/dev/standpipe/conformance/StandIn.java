package dev.standpipe.conformance;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** What stands between Standpipe and a database's driver, and passes on what it lets through. */
public final class StandIn {
  private StandIn() {}

  /** One for an interface of the driver. */
  public static <T> T of(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(StandIn.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Passes a call on; what it throws is thrown as it is. */
  @SuppressWarnings("NullAway") // what a method returns may well be null
  public static Object call(Object target, Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
