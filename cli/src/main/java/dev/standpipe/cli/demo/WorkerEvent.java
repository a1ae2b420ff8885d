package dev.standpipe.cli.demo;

import java.util.Optional;

/** What a worker tells its parent: one line each, on its standard output. */
sealed interface WorkerEvent {
  /** It serves the pipeline. */
  record Ready() implements WorkerEvent {
    @Override
    public String line() {
      return "@ready";
    }
  }

  /** The database has refused a write of its that came too late. */
  record Stale(String node, int index, long token) implements WorkerEvent {
    @Override
    public String line() {
      return "@stale " + node + " " + index + " " + token;
    }
  }

  /** It has taken the steps off a process whose lease ran out. */
  record Reaped(String process, int steps) implements WorkerEvent {
    @Override
    public String line() {
      return "@reaped " + process + " " + steps;
    }
  }

  /** The event as a line. */
  String line();

  /** The event of a line, or empty if the line is something else. */
  static Optional<WorkerEvent> parse(String line) {
    String[] word = line.split(" ", -1);
    return switch (word[0]) {
      case "@ready" -> Optional.of(new Ready());
      case "@stale" ->
          Optional.of(new Stale(word[1], Integer.parseInt(word[2]), Long.parseLong(word[3])));
      case "@reaped" -> Optional.of(new Reaped(word[1], Integer.parseInt(word[2])));
      default -> Optional.empty();
    };
  }
}
