package dev.standpipe.cli.demo;

/** Where the demo tells its story. Thread-safe. */
interface Screen {
  /** Tells what just happened. */
  void say(String line);

  /** Shows how far it is. */
  void show(Progress progress);

  /** Says nothing more. */
  void close();
}
