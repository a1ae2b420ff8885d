package dev.standpipe.internal.store.sqlite;

import dev.standpipe.internal.port.PendingWork.Written;
import dev.standpipe.internal.store.connection.FileWatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads in the write-ahead log which pages were committed since the last time, and tells heartbeats
 * from anything else: a heartbeat writes the only page of its table and nothing else. No lock, no
 * transaction and no statement; two small reads where nothing was written.
 *
 * <p>The log is a header and frames, each a header and a page (sqlite.org/fileformat2.html, section
 * 4). It is written from the front again after a checkpoint, under new salts, so a frame with other
 * salts than the log's is a leftover. The checksum of a frame covers all frames before it: as long
 * as that of the last one seen is still there, nothing before it has changed.
 *
 * <p>A commit is in the log a moment before others can read it. A process that is told of it looks
 * for a while, not once.
 *
 * <p>Only the log may be opened. To close a file gives up all locks this program has on it, and
 * SQLite has its locks on the other two.
 */
final class WalWatch implements FileWatch {
  private static final int MAGIC = 0x377f0682;
  private static final int HEADER = 32;
  private static final int FRAME = 24;

  /** So long a log is not read to its end at once: something was written, that is enough. */
  private static final int MOST_FRAMES = 10_000;

  private @Nullable Path log;
  private Set<Integer> heartbeats = Set.of();
  private long salts;
  private long seen;
  private long checksum;

  @Override
  public void learn(ResultSet look) throws SQLException {
    String file = look.getString("file");
    String pages = look.getString("heartbeats");
    log = file == null || file.isEmpty() ? null : Path.of(file + "-wal");
    heartbeats =
        pages == null
            ? Set.of()
            : Arrays.stream(pages.split(",")).map(Integer::valueOf).collect(Collectors.toSet());
  }

  @Override
  public Written written() {
    Path file = log;
    if (file == null) {
      return Written.UNKNOWN;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer header = read(channel, 0, HEADER);
      boolean readable = header.remaining() == HEADER && (header.getInt(0) & ~1) == MAGIC;
      return readable ? written(channel, header.getInt(8), header.getLong(16)) : Written.UNKNOWN;
    } catch (IOException | RuntimeException e) {
      return Written.UNKNOWN; // gone with the last connection, or not ours to read
    }
  }

  private Written written(FileChannel channel, int pageSize, long newest) throws IOException {
    long size = (long) FRAME + pageSize;
    if (salts != newest || !isAsSeen(channel, size)) {
      salts = newest;
      seen = 0;
    }
    boolean something = false;
    boolean pending = false;
    for (long i = seen; i < seen + MOST_FRAMES; i++) {
      ByteBuffer frame = read(channel, HEADER + i * size, FRAME);
      if (frame.remaining() < FRAME || frame.getLong(8) != salts) {
        return something ? Written.SOMETHING : Written.NOTHING;
      }
      pending |= !heartbeats.contains(frame.getInt(0));
      boolean commits = frame.getInt(4) != 0;
      if (commits) {
        something |= pending;
        pending = false;
        seen = i + 1;
        checksum = frame.getLong(16);
      }
    }
    return Written.SOMETHING;
  }

  /** A commit that failed at the last moment is written over by the next. */
  private boolean isAsSeen(FileChannel channel, long size) throws IOException {
    if (seen == 0) {
      return true;
    }
    ByteBuffer frame = read(channel, HEADER + (seen - 1) * size, FRAME);
    return frame.remaining() == FRAME && frame.getLong(8) == salts && frame.getLong(16) == checksum;
  }

  private static ByteBuffer read(FileChannel channel, long from, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    int read = 0;
    while (read >= 0 && buffer.hasRemaining()) {
      read = channel.read(buffer, from + buffer.position());
    }
    return buffer.flip();
  }
}
