package dev.standpipe.bench.contest;

import dev.standpipe.bench.contract.Line;
import dev.standpipe.bench.contract.Order;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The JVM of a contender, seen from the orchestrator. One caller at a time. */
final class ContenderProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final String ENDED = "ended";

  private final Entrant entrant;
  private final Process process;
  private final Writer in;
  private final BlockingQueue<Message> said = new LinkedBlockingQueue<>();
  private final String hello;
  private boolean usable = true;

  private ContenderProcess(Entrant entrant, Process process)
      throws InterruptedException, TimeoutException, CannotException {
    this.entrant = entrant;
    this.process = process;
    this.in = process.outputWriter(StandardCharsets.UTF_8);
    Thread reader = new Thread(this::read, entrant.title() + "-reader");
    reader.setDaemon(true);
    reader.start();
    this.hello = await("hello", PATIENCE);
  }

  /**
   * Starts one.
   *
   * @param home the directory {@code bench} of the source tree
   */
  static ContenderProcess start(Entrant entrant, Path home, List<String> jvmOptions)
      throws IOException, InterruptedException, TimeoutException, CannotException {
    Path target = home.resolve(entrant.module()).resolve("target");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(jvmOptions);
    command.add("-cp");
    command.add(target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*");
    command.add(entrant.mainClass());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new ContenderProcess(entrant, process);
  }

  /** Whether it has always done what it was asked for, or said that it cannot. */
  boolean isUsable() {
    return usable && process.isAlive();
  }

  /** Version and configuration, as JSON. */
  String hello() {
    return hello;
  }

  /** Its number on this machine. */
  long pid() {
    return process.pid();
  }

  Entrant entrant() {
    return entrant;
  }

  private void read() {
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      String line = out.readLine();
      while (line != null) {
        if (line.startsWith(Line.PREFIX)) {
          String[] parts = line.substring(Line.PREFIX.length()).split("\t", 2);
          said.add(new Message(parts[0], parts.length > 1 ? parts[1] : ""));
        }
        line = out.readLine();
      }
    } catch (IOException e) {
      // its end; said below
    }
    said.add(new Message(ENDED, ""));
  }

  /** Gives an order and waits until the contender is ready for {@link #go}. */
  void prepare(Order order) throws InterruptedException, TimeoutException, CannotException {
    write(order.toLine());
    await("ready", PATIENCE);
  }

  void go() {
    write("go");
  }

  void stop() {
    write("stop");
  }

  private void write(String line) {
    try {
      in.write(line + "\n");
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(entrant.title() + " is gone", e);
    }
  }

  /** Waits for a word, and skips others. */
  String await(String word, Duration patience)
      throws InterruptedException, TimeoutException, CannotException {
    Message message = next(patience);
    while (!message.word().equals(word)) {
      message = next(patience);
    }
    return message.rest();
  }

  private Message next(Duration patience)
      throws InterruptedException, TimeoutException, CannotException {
    @Nullable Message message = said.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
    if (message == null) {
      usable = false;
      throw new TimeoutException(entrant.title() + " has said nothing for " + patience);
    }
    usable = usable && !message.word().equals("failed") && !message.word().equals(ENDED);
    return switch (message.word()) {
      case "cannot" -> throw new CannotException(message.rest());
      case "failed" -> throw new IllegalStateException(entrant.title() + ": " + message.rest());
      case ENDED -> throw new IllegalStateException(entrant.title() + " has ended");
      default -> message;
    };
  }

  /** The newest count it has said, or the one known before if it has said nothing new. */
  long count(long known) throws InterruptedException, TimeoutException, CannotException {
    long count = known;
    while (!said.isEmpty()) {
      Message message = next(PATIENCE);
      if (message.word().equals("count")) {
        count = Long.parseLong(message.rest());
      }
    }
    return count;
  }

  /** Waits until it has said a count of this many. */
  void awaitCount(long wanted, Duration patience)
      throws InterruptedException, TimeoutException, CannotException {
    long deadline = System.nanoTime() + patience.toNanos();
    long count = 0;
    while (count < wanted) {
      if (System.nanoTime() - deadline >= 0) {
        throw new TimeoutException("Only " + count + " of " + wanted + " run");
      }
      LockSupport.parkNanos(TICK_NANOS);
      count = count(count);
    }
  }

  /** Kills it, as {@code kill -9} does, and waits until it is dead. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    try {
      in.close();
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
