package dev.standpipe.cli.demo;

import java.io.Console;
import java.nio.charset.Charset;

/** What is known about the terminal, if there is one. */
final class Terminal {
  private Terminal() {}

  /** Whether the cursor can be moved: standard output is a terminal that is not a dumb one. */
  @SuppressWarnings("SystemConsoleNull") // on 22 and newer, isTerminal() tells
  static boolean isLive() {
    Console console = System.console();
    return console != null && isTerminal(console) && !"dumb".equals(System.getenv("TERM"));
  }

  /** Newer JDKs have a console even where there is no terminal, and a method to tell. */
  private static boolean isTerminal(Console console) {
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /** The characters it can show. */
  static Charset charset() {
    String name = System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding"));
    return name != null && Charset.isSupported(name)
        ? Charset.forName(name)
        : Charset.defaultCharset();
  }
}
