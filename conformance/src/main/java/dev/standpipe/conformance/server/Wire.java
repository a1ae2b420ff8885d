package dev.standpipe.conformance.server;

import dev.standpipe.conformance.fixture.EngineFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * A wire between processes and their PostgreSQL server that can be cut, silenced, slowed down, or
 * made to lose single replies. Processes connect to {@link #through} instead of to the server.
 * Thread-safe.
 */
public final class Wire implements AutoCloseable {
  private final int serverPort;
  private final ServerSocket ear;
  private final Set<WireLink> links = ConcurrentHashMap.newKeySet();
  private final AtomicInteger toSwallow = new AtomicInteger();
  private final AtomicInteger swallowed = new AtomicInteger();
  private volatile Predicate<String> swallowAfter = statement -> false;
  private volatile int leadsTo;
  private volatile boolean cut;
  private volatile boolean silent;
  private volatile Duration latency = Duration.ZERO;
  private volatile int bytesPerSecond = Integer.MAX_VALUE;

  private Wire(int serverPort, ServerSocket ear) {
    this.serverPort = serverPort;
    this.leadsTo = serverPort;
    this.ear = ear;
  }

  /** A wire to the server on this port of this machine. */
  public static Wire to(int serverPort) {
    try {
      Wire wire = new Wire(serverPort, new ServerSocket(0, 100, InetAddress.getLoopbackAddress()));
      WireLink.daemon("wire-accept", wire::accept);
      return wire;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same database, through this wire. Unencrypted, so that the wire sees what is asked. */
  public String through(String jdbcUrl) {
    return jdbcUrl.replace(":" + serverPort + "/", ":" + ear.getLocalPort() + "/")
        + "&sslmode=disable&gssEncMode=disable";
  }

  /**
   * Leads to the server on this port from now on, as an address does after a failover. Connections
   * that are open stay where they are.
   */
  public void leadTo(int port) {
    leadsTo = port;
  }

  /** Breaks every connection, for both ends to see, and lets nobody connect. */
  public void cut() {
    cut = true;
    links.forEach(WireLink::reset);
  }

  /**
   * Loses whatever is sent either way from now on, and tells nobody. A connection that has lost
   * something stays dead after {@link #heal}, as one half open does.
   */
  public void silence() {
    silent = true;
    links.forEach(WireLink::mute);
  }

  /** Silences, for good, the connections that have run a statement with this in it. */
  public int silence(String part) {
    int count = 0;
    for (WireLink link : links) {
      if (link.hasRun(part.toLowerCase(Locale.ROOT))) {
        link.mute();
        count++;
      }
    }
    return count;
  }

  /** Adds to the time an answer takes, and lets only so many bytes a second through, each way. */
  public void slow(Duration more, int mostBytesPerSecond) {
    this.latency = more.dividedBy(2);
    this.bytesPerSecond = mostBytesPerSecond;
  }

  /**
   * Of the statements that have this in them, lets the next so many be carried out, loses the reply
   * to each, and breaks its connection.
   */
  public void swallowReplies(String part, int count) {
    String lower = part.toLowerCase(Locale.ROOT);
    swallowAfter = statement -> statement.contains(lower);
    toSwallow.set(count);
  }

  /** The same for statements that are just this. */
  public void swallowRepliesTo(String statement, int count) {
    swallowAfter = statement.toLowerCase(Locale.ROOT)::equals;
    toSwallow.set(count);
  }

  /** How many replies were lost so. */
  public int swallowed() {
    return swallowed.get();
  }

  /** Works as it should again. */
  public void heal() {
    cut = false;
    silent = false;
    latency = Duration.ZERO;
    bytesPerSecond = Integer.MAX_VALUE;
    toSwallow.set(0);
  }

  @Override
  public void close() {
    cut();
    try {
      ear.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    while (!ear.isClosed()) {
      try {
        open(ear.accept());
      } catch (IOException e) {
        // closed, or the server is down and the client notices
      }
    }
  }

  private void open(Socket near) throws IOException {
    if (cut) {
      near.setSoLinger(true, 0);
      near.close();
      return;
    }
    Socket far;
    try {
      far = new Socket(InetAddress.getLoopbackAddress(), leadsTo);
    } catch (IOException e) {
      near.close();
      throw e;
    }
    WireLink link = new WireLink(this, near, far);
    links.add(link);
    if (silent) {
      link.mute();
    }
    link.start();
  }

  /** Whether the reply to these statements is to be lost. */
  boolean swallows(Set<String> statements) {
    return toSwallow.get() > 0
        && statements.stream().anyMatch(swallowAfter)
        && toSwallow.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  void hasSwallowed() {
    swallowed.incrementAndGet();
  }

  void closed(WireLink link) {
    links.remove(link);
  }

  /** Takes as long as so many bytes take at present. */
  void carry(int bytes) throws InterruptedException {
    Duration transfer = Duration.ofNanos(1_000_000_000L * bytes / bytesPerSecond);
    EngineFixture.pause(latency.plus(transfer));
  }
}
