package dev.standpipe.conformance.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** One connection of a {@link Wire}: a thread for each direction. */
final class WireLink {
  private static final int CHUNK = 8_192;

  /** How every complete answer of the server ends, but for one byte: ready for the next query. */
  private static final byte[] READY = {'Z', 0, 0, 0, 5};

  private final Wire wire;
  private final Socket near;
  private final Socket far;
  private final Requests requests = new Requests();
  private volatile boolean mute;
  private volatile boolean swallowing;

  WireLink(Wire wire, Socket near, Socket far) {
    this.wire = wire;
    this.near = near;
    this.far = far;
  }

  void start() {
    daemon("wire-out", () -> pump(near, far, this::admitRequest));
    daemon("wire-in", () -> pump(far, near, this::admitReply));
  }

  static void daemon(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
  }

  void mute() {
    mute = true;
  }

  boolean hasRun(String part) {
    synchronized (requests) {
      return requests.haveHad(part);
    }
  }

  /** Breaks it so that neither end waits for the other. */
  void reset() {
    wire.closed(this);
    for (Socket socket : new Socket[] {near, far}) {
      try {
        socket.setSoLinger(true, 0);
        socket.close();
      } catch (IOException e) {
        // it is closed then
      }
    }
  }

  /** Decides about what has come in; {@code false} loses it. */
  @FunctionalInterface
  private interface Gate {
    boolean admits(byte[] bytes, int length);
  }

  private void pump(Socket from, Socket to, Gate gate) {
    byte[] bytes = new byte[CHUNK];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
        if (!mute && gate.admits(bytes, length)) {
          wire.carry(length);
          if (!mute) {
            out.write(bytes, 0, length);
          }
        }
      }
    } catch (IOException e) {
      // broken, and so is the other direction from here on
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!mute) {
      reset();
    }
  }

  private boolean admitRequest(byte[] bytes, int length) {
    synchronized (requests) {
      swallowing |= wire.swallows(requests.statements(bytes, length));
      return true;
    }
  }

  private boolean admitReply(byte[] bytes, int length) {
    if (!swallowing) {
      return true;
    }
    if (endsWithReady(bytes, length)) {
      wire.hasSwallowed();
      reset();
    }
    return false;
  }

  private static boolean endsWithReady(byte[] bytes, int length) {
    int at = length - READY.length - 1;
    for (int i = 0; at >= 0 && i < READY.length; i++) {
      if (bytes[at + i] != READY[i]) {
        return false;
      }
    }
    return at >= 0;
  }
}
