package dev.standpipe.cli.demo;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The outside world: a file that every body of every worker adds a line to. What is in it has
 * happened, whether or not the step was committed. Thread-safe, and safe across processes: a line
 * is one append. Receipts are forced to disk.
 */
final class Ledger implements AutoCloseable {
  // Not a FileChannel: an interrupted body would close that for all others.
  private final FileOutputStream file;

  private Ledger(FileOutputStream file) {
    this.file = file;
  }

  /**
   * One effect of one body.
   *
   * @param order the order
   * @param node the key of the step's node
   * @param index the index of the step
   * @param key the idempotency key the body was given
   * @param token the fencing token the body was given
   * @param pid the process it ran in
   */
  record Entry(int order, String node, int index, String key, long token, long pid) {
    StepId step() {
      return new StepId("order-" + order, node, index);
    }

    private String line() {
      return String.join(
          "\t",
          String.valueOf(order),
          node,
          String.valueOf(index),
          key,
          String.valueOf(token),
          pid + "\n");
    }

    private static Entry parse(String line) {
      String[] part = line.split("\t", -1);
      return new Entry(
          Integer.parseInt(part[0]),
          part[1],
          Integer.parseInt(part[2]),
          part[3],
          Long.parseLong(part[4]),
          Long.parseLong(part[5]));
    }
  }

  static Ledger open(Path file) throws IOException {
    return new Ledger(new FileOutputStream(file.toFile(), true));
  }

  void append(Entry entry) throws IOException {
    file.write(entry.line().getBytes(StandardCharsets.UTF_8));
    if (entry.node().equals(OrderPipeline.RECEIPT)) {
      file.getFD().sync();
    }
  }

  static List<Entry> read(Path file) throws IOException {
    return Files.readAllLines(file).stream().map(Entry::parse).toList();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
