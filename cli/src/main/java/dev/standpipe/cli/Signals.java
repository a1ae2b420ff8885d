package dev.standpipe.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;

/**
 * Hears and sends signals. The JDK's way to hear them is outside of the Java standard, so it is
 * looked up at run time; where it is missing, signals go unheard.
 */
public final class Signals {
  private Signals() {}

  /** Runs this whenever the signal of this name, such as {@code USR2}, comes. */
  public static void on(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object running =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, args) -> {
                action.run();
                return null;
              });
      Object named = signal.getConstructor(String.class).newInstance(name);
      signal.getMethod("handle", signal, handler).invoke(null, named, running);
    } catch (ReflectiveOperationException e) {
      System.err.println("standpipe: SIG" + name + " cannot be heard on this Java runtime.");
    }
  }

  /** Sends one, through the shell, which knows how to even where there is no kill program. */
  public static void send(String name, long pid) throws InterruptedException {
    try {
      new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid)
          .redirectErrorStream(true)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
