package dev.standpipe.conformance.server;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A child JVM with this one's class path, for what cannot be done to oneself: being killed, frozen
 * or given little memory. It never outlives this JVM, nor the block it was started in. Thread-safe.
 */
public final class WorkerJvm implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String name;
  private final Process process;
  private final Path output;

  private WorkerJvm(String name, Process process, Path output) {
    this.name = name;
    this.process = process;
    this.output = output;
    Leftovers.add(this);
  }

  /** Sets up a JVM that runs this class's main method and writes its output here. */
  public static Setup of(Class<?> main, String name, Path directory) {
    return new Setup(main, name, directory);
  }

  /** How a JVM is to be started. Not thread-safe. */
  public static final class Setup {
    private final Class<?> main;
    private final String name;
    private final Path directory;
    private final List<String> arguments = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private final List<String> options = new ArrayList<>();
    private String heap = "128m";
    private boolean endsWithoutMemory = true;

    private Setup(Class<?> main, String name, Path directory) {
      this.main = main;
      this.name = name;
      this.directory = directory;
    }

    /** The most its heap may take, as for {@code -Xmx}; 128m by default. */
    public Setup heap(String most) {
      this.heap = most;
      return this;
    }

    /** Goes on when its heap is exhausted, as a JVM does unless it is told otherwise. */
    public Setup survivingOutOfMemory() {
      this.endsWithoutMemory = false;
      return this;
    }

    /** Adds an option of the JVM. */
    public Setup option(String option) {
      options.add(option);
      return this;
    }

    /** Adds an argument {@code name=value}, which {@link #argument} finds again. */
    public Setup argument(String name, Object value) {
      arguments.add(name + "=" + value);
      return this;
    }

    /** Sets a variable of its environment. */
    public Setup environment(String variable, String value) {
      environment.put(variable, value);
      return this;
    }

    /** Starts it. */
    public WorkerJvm start() {
      Path output = directory.resolve(name + ".out");
      ProcessBuilder builder =
          new ProcessBuilder(command())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
      builder.environment().putAll(environment);
      try {
        return new WorkerJvm(name, builder.start(), output);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /**
     * Quick to start and modest: many of these share a machine. What a library unpacks goes where
     * the test deletes it, since one that is killed deletes nothing.
     */
    private List<String> command() {
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx" + heap,
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  endsWithoutMemory ? "-XX:+ExitOnOutOfMemoryError" : "-XX:-ExitOnOutOfMemoryError",
                  "-Xshare:auto",
                  "--enable-native-access=ALL-UNNAMED",
                  "-Djava.io.tmpdir=" + directory,
                  "-cp",
                  System.getProperty(
                      "surefire.test.class.path", System.getProperty("java.class.path")),
                  main.getName()));
      command.addAll(command.size() - 1, options);
      command.addAll(arguments);
      return command;
    }
  }

  /** The value of an argument {@code name=value} given to a main method. */
  public static String argument(String[] arguments, String name) {
    for (String argument : arguments) {
      if (argument.startsWith(name + "=")) {
        return argument.substring(name.length() + 1);
      }
    }
    throw new IllegalArgumentException("No argument " + name);
  }

  /** What it is called. */
  public String name() {
    return name;
  }

  /** Its number on this machine. */
  public long pid() {
    return process.pid();
  }

  /** Whether it has not ended, frozen or not. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Kills it on the spot: SIGKILL. */
  public void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  /** Stops it from doing anything, without it knowing: SIGSTOP. */
  public void freeze() {
    signal("STOP");
  }

  /** Lets it go on after {@link #freeze()}: SIGCONT. */
  public void thaw() {
    signal("CONT");
  }

  /** Asks it to end: SIGTERM. */
  public void terminate() {
    signal("TERM");
  }

  /** Has it write what each of its threads is doing: SIGQUIT. */
  public void dumpThreads() {
    signal("QUIT");
  }

  /** Waits for it to end; returns its exit code, which is 128 + n for a signal n. */
  public int awaitExit() {
    try {
      if (process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        Leftovers.remove(this);
        return process.exitValue();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new IllegalStateException(
        name + " has not ended. Its output:\n" + String.join("\n", output()));
  }

  /** The lines it has written so far, to either of its outputs. */
  public List<String> output() {
    try {
      return Files.exists(output)
          ? new String(Files.readAllBytes(output), StandardCharsets.UTF_8).lines().toList()
          : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it has written a line that begins so; returns the rest of the newest such line. */
  public String awaitLine(String beginning) {
    return awaitLine(beginning, PATIENCE);
  }

  /** Waits for so long until it has written a line that begins so; returns the rest of it. */
  public String awaitLine(String beginning, Duration patience) {
    await()
        .atMost(patience)
        .until(() -> !isAlive() || output().stream().anyMatch(line -> line.startsWith(beginning)));
    return output().stream()
        .filter(line -> line.startsWith(beginning))
        .reduce((earlier, later) -> later)
        .map(line -> line.substring(beginning.length()))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    name + " ended without a word. Its output:\n" + String.join("\n", output())));
  }

  private void signal(String signal) {
    try {
      int exit = new ProcessBuilder("kill", "-" + signal, "" + pid()).start().waitFor();
      if (exit != 0) {
        throw new IllegalStateException("Cannot send SIG" + signal + " to " + name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  /** Kills it if it still lives. */
  @Override
  public void close() {
    if (process.isAlive()) {
      kill();
    }
    Leftovers.remove(this);
  }
}
