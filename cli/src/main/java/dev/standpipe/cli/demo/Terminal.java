package dev.standpipe.cli.demo;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.Scanner;
import org.jspecify.annotations.Nullable;

/** What is known about the terminal, if there is one. */
final class Terminal {
  private Terminal() {}

  /** Whether the cursor can be moved: standard output is a terminal that is not a dumb one. */
  @SuppressWarnings("SystemConsoleNull") // on 22 and newer, isTerminal() tells
  static boolean isLive() {
    Console console = System.console();
    return console != null && isTerminal(console) && !"dumb".equals(System.getenv("TERM"));
  }

  /** Whether a line of this length stays one, so that lines can be counted and redrawn. */
  static boolean isWiderThan(int columns) {
    return width().orElse(columns + 1) > columns;
  }

  /** As the shell or the terminal itself tells, if either does. */
  private static OptionalInt width() {
    OptionalInt told = number(System.getenv("COLUMNS"));
    return told.isPresent() ? told : asked();
  }

  private static OptionalInt asked() {
    try {
      Process stty = new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty")).start();
      try (Scanner answer = new Scanner(stty.getInputStream(), StandardCharsets.US_ASCII)) {
        String size = answer.hasNextLine() ? answer.nextLine() : "";
        return number(size.substring(size.lastIndexOf(' ') + 1));
      }
    } catch (IOException e) { // no stty, or no terminal
      return OptionalInt.empty();
    }
  }

  private static OptionalInt number(@Nullable String text) {
    return text != null && text.matches("[1-9]\\d{0,4}")
        ? OptionalInt.of(Integer.parseInt(text))
        : OptionalInt.empty();
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
