package dev.standpipe.faults;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A Patroni and the PostgreSQL that it looks after. Not thread-safe. */
final class PatroniMember {
  private final String name;
  private final Path directory;
  private final int port;
  private final int apiPort;
  private final Path config;
  private Optional<Daemon> patroni = Optional.empty();

  PatroniMember(String name, Path directory, int port, int apiPort) {
    this.name = name;
    this.directory = directory;
    this.port = port;
    this.apiPort = apiPort;
    this.config = directory.resolve("patroni.yml");
  }

  /** Writes its settings. The etcd on this port has what the members agree on. */
  void configure(int etcdPort, Path postgresPrograms) {
    try {
      Files.writeString(config, settings(etcdPort, postgresPrograms));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The shortest times that Patroni's manual allows: the lock of a primary that is gone lasts 20
   * seconds. Commits wait for one standby, and only that one is promoted.
   */
  private String settings(int etcdPort, Path postgresPrograms) {
    return """
        scope: standpipe
        name: %1$s
        etcd3: {host: '127.0.0.1:%2$d'}
        restapi: {listen: '127.0.0.1:%3$d', connect_address: '127.0.0.1:%3$d'}
        bootstrap:
          dcs:
            ttl: 20
            loop_wait: 1
            retry_timeout: 3
            synchronous_mode: true
            postgresql:
              use_pg_rewind: true
              parameters: {unix_socket_directories: '', max_connections: 100}
          initdb: [{encoding: UTF8}, {locale: C}, no-sync]
          pg_hba:
            - host all all 127.0.0.1/32 trust
            - host replication all 127.0.0.1/32 trust
        postgresql:
          listen: 127.0.0.1:%4$d
          connect_address: 127.0.0.1:%4$d
          data_dir: '%5$s'
          pgpass: '%6$s'
          bin_dir: '%7$s'
          authentication: {superuser: {username: postgres}, replication: {username: postgres}}
          basebackup: [{checkpoint: fast}, no-sync]
        """
        .formatted(
            name,
            etcdPort,
            apiPort,
            port,
            dataDirectory(),
            directory.resolve("pgpass"),
            postgresPrograms);
  }

  private Path dataDirectory() {
    return directory.resolve("data");
  }

  /** What Patroni calls it, and what its server calls itself to the primary. */
  String name() {
    return name;
  }

  /** Where its PostgreSQL is. */
  int port() {
    return port;
  }

  /** Where its Patroni tells of the cluster. */
  int apiPort() {
    return apiPort;
  }

  /** What its Patroni and its PostgreSQL have written. */
  String log() {
    return patroni.map(Daemon::log).orElse("");
  }

  boolean isRunning() {
    return patroni.isPresent();
  }

  /** Starts it, for the first time or after it was killed. */
  void start() {
    Path program = Daemon.program("patroni");
    patroni = Optional.of(Daemon.start(directory, List.of(program.toString(), config.toString())));
  }

  /**
   * Kills Patroni first, which would start its server again, and then the server and all that serve
   * in it, as a power cut would.
   */
  void kill() {
    patroni.ifPresent(Daemon::close);
    patroni = Optional.empty();
    postmaster()
        .ifPresent(one -> Stream.concat(Stream.of(one), one.children()).forEach(this::kill));
    await().atMost(Daemon.PATIENCE).until(() -> !Loopback.answers(port));
  }

  private void kill(ProcessHandle process) {
    process.destroyForcibly();
  }

  /** A server that was killed leaves its number behind, which may be another process's by now. */
  private Optional<ProcessHandle> postmaster() {
    Path file = dataDirectory().resolve("postmaster.pid");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Files.readAllLines(file).stream()
          .findFirst()
          .flatMap(line -> ProcessHandle.of(Long.parseLong(line.strip())))
          .filter(process -> process.info().command().orElse("").endsWith("postgres"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
