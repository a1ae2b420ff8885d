package dev.standpipe.conformance.server;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A file system of a few megabytes that can be filled up. It is mounted, which takes the right to
 * do so. Not thread-safe.
 */
public final class SmallDisk implements AutoCloseable {
  private final Path path;

  private SmallDisk(Path path) {
    this.path = path;
    Leftovers.add(this);
  }

  /** An empty one, where this user may mount it. */
  public static Optional<SmallDisk> of(int megabytes) {
    try {
      Path path = Files.createTempDirectory("standpipe-disk");
      String options = "size=" + megabytes + "m,mode=777";
      if (succeeds("mount", "-t", "tmpfs", "-o", options, "standpipe", path.toString())) {
        return Optional.of(new SmallDisk(path));
      }
      Files.delete(path);
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** Leaves no space on it. */
  public void fill() {
    byte[] block = new byte[1 << 16];
    try (OutputStream out = Files.newOutputStream(ballast(), StandardOpenOption.CREATE)) {
      while (Files.getFileStore(path).getUsableSpace() > 0) {
        out.write(block);
      }
    } catch (IOException e) {
      // full to the last byte, as it should be
    }
  }

  /** Gives the space back. */
  public void free() {
    try {
      Files.delete(ballast());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path ballast() {
    return path.resolve("ballast");
  }

  @Override
  public void close() {
    if (!succeeds("umount", "--lazy", path.toString())) {
      throw new IllegalStateException("Cannot unmount " + path);
    }
    try {
      Files.delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Leftovers.remove(this);
  }

  private static boolean succeeds(String... command) {
    try {
      return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }
}
