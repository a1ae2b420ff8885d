package dev.standpipe.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A PgBouncer in front of a PostgreSQL, pooling by transaction. */
final class PgBouncer implements AutoCloseable {
  private final Daemon daemon;
  private final int port;

  private PgBouncer(Daemon daemon, int port) {
    this.daemon = daemon;
    this.port = port;
  }

  /** Starts one with so few connections to the server that clients have to share them. */
  static PgBouncer before(int serverPort, int connections, Path directory) {
    Path program = Daemon.program("pgbouncer");
    try {
      int port = Loopback.freePorts(1).get(0);
      Path users = directory.resolve("users.txt");
      Files.writeString(users, "\"postgres\" \"\"\n");
      Path config = directory.resolve("pgbouncer.ini");
      Files.writeString(config, config(serverPort, port, connections, users));
      Daemon daemon = Daemon.start(directory, List.of(program.toString(), config.toString()));
      daemon.awaitPort(port);
      return new PgBouncer(daemon, port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String config(int serverPort, int port, int connections, Path users) {
    return """
        [databases]
        * = host=127.0.0.1 port=%d
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = trust
        auth_file = %s
        pool_mode = transaction
        default_pool_size = %d
        max_client_conn = 200
        server_round_robin = 1
        ignore_startup_parameters = extra_float_digits
        """
        .formatted(serverPort, port, users, connections);
  }

  /** The way to the same database through it. */
  String through(String url) {
    return url.replaceFirst("//[^/]*/", "//127.0.0.1:" + port + "/");
  }

  @Override
  public void close() {
    daemon.close();
  }
}
