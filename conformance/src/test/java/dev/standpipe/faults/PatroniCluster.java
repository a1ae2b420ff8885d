package dev.standpipe.faults;

import static org.awaitility.Awaitility.await;

import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.Leftovers;
import dev.standpipe.conformance.server.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Three PostgreSQL under Patroni with an etcd, all on loopback: a primary, a standby that every
 * commit waits for, and one more. They are killed when this is closed.
 */
final class PatroniCluster implements AutoCloseable {
  private static final int MEMBERS = 3;
  private static final Path POSTGRES = Path.of("/usr/lib/postgresql");
  private static final List<String> SERVER_PROGRAMS =
      List.of("postgres", "initdb", "pg_ctl", "pg_basebackup", "pg_rewind");
  private static final Pattern ROLE = Pattern.compile("\"role\": *\"(\\w+)\"");
  private static final Pattern WELL = Pattern.compile("\"state\": *\"(running|streaming)\"");
  private static final Pattern TIMELINE = Pattern.compile("\"timeline\": *(\\d+)");

  private final List<PatroniMember> members = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private Optional<Daemon> etcd = Optional.empty();
  private int databases;

  private PatroniCluster() {
    Leftovers.add(this);
  }

  /** Starts one with its data in this directory, and waits until it is whole. */
  static PatroniCluster start(Path directory) {
    Path programs = serverPrograms();
    Daemon.program("patroni");
    Daemon.program("etcd");
    PatroniCluster cluster = new PatroniCluster();
    try {
      // nobody has to pass through it
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
      cluster.launch(directory, programs);
      cluster.awaitWhole();
      return cluster;
    } catch (IOException e) {
      cluster.close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException | Error e) {
      cluster.members.forEach(member -> System.out.println(member.log()));
      cluster.close();
      throw e;
    }
  }

  /** Those of the newest version that the operating system has. */
  private static Path serverPrograms() {
    if (!Files.isDirectory(POSTGRES)) {
      throw Needs.unmet("PostgreSQL's server is not installed");
    }
    try (Stream<Path> versions = Files.list(POSTGRES)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> SERVER_PROGRAMS.stream().map(bin::resolve).allMatch(Files::isExecutable))
          .max(Comparator.comparing(Path::toString))
          .orElseThrow(() -> Needs.unmet("PostgreSQL's server is not installed"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void launch(Path directory, Path programs) throws IOException {
    List<Integer> ports = Loopback.freePorts(2 + 2 * MEMBERS);
    int etcdPort = ports.get(0);
    startEtcd(Files.createDirectory(directory.resolve("etcd")), etcdPort, ports.get(1));
    for (int i = 0; i < MEMBERS; i++) {
      String name = "member" + i;
      PatroniMember member =
          new PatroniMember(
              name,
              Files.createDirectory(directory.resolve(name)),
              ports.get(2 + 2 * i),
              ports.get(3 + 2 * i));
      member.configure(etcdPort, programs);
      members.add(member);
      member.start();
    }
  }

  private void startEtcd(Path directory, int clientPort, int peerPort) {
    String clients = "http://127.0.0.1:" + clientPort;
    String peers = "http://127.0.0.1:" + peerPort;
    Daemon started =
        Daemon.start(
            directory,
            List.of(
                Daemon.program("etcd").toString(),
                "--data-dir=" + directory.resolve("data"),
                "--listen-client-urls=" + clients,
                "--advertise-client-urls=" + clients,
                "--listen-peer-urls=" + peers,
                "--initial-advertise-peer-urls=" + peers,
                "--initial-cluster=default=" + peers));
    etcd = Optional.of(started);
    started.awaitPort(clientPort);
  }

  /** Waits until all members follow one primary, and its commits wait for one of them. */
  void awaitWhole() {
    await().atMost(Daemon.PATIENCE).until(() -> isWhole(told()));
  }

  private static boolean isWhole(String told) {
    List<String> roles = found(ROLE, told);
    List<String> timelines = found(TIMELINE, told);
    return found(WELL, told).size() == MEMBERS
        && timelines.size() == MEMBERS
        && timelines.stream().distinct().count() == 1
        && roles.contains("leader")
        && roles.contains("sync_standby");
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(match -> match.group(1)).toList();
  }

  /** What a Patroni tells of the cluster; nothing if none answers. */
  private String told() throws InterruptedException {
    for (PatroniMember member : running()) {
      URI cluster = URI.create("http://127.0.0.1:" + member.apiPort() + "/cluster");
      try {
        return http.send(HttpRequest.newBuilder(cluster).build(), BodyHandlers.ofString()).body();
      } catch (IOException e) {
        // it is starting: another one may know
      }
    }
    return "";
  }

  private List<PatroniMember> running() {
    return members.stream().filter(PatroniMember::isRunning).toList();
  }

  /** An empty database; how to get to it at whichever member is the primary. */
  String freshDatabase() {
    String name = "test_" + ++databases;
    execute(url("postgres"), "create database " + name);
    return url(name);
  }

  private String url(String database) {
    String hosts =
        members.stream()
            .map(member -> "127.0.0.1:" + member.port())
            .collect(Collectors.joining(","));
    return "jdbc:postgresql://%s/%s?user=postgres&targetServerType=primary"
        .formatted(hosts, database);
  }

  /** How to get to the same database at the server on this port, whatever that is. */
  static String at(int port, String url) {
    return url.replaceFirst("//[^/]*/", "//127.0.0.1:" + port + "/")
        .replace("&targetServerType=primary", "");
  }

  private static void execute(String url, String sql) {
    try (EngineFixture database = new EngineFixture(PostgresServer.dataSource(url))) {
      database.execute(sql);
    }
  }

  /** The port of the primary; waits until there is one that takes writes. */
  int awaitPrimary() {
    return await()
        .atMost(Daemon.PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(this::primary, Optional::isPresent)
        .orElseThrow()
        .port();
  }

  private Optional<PatroniMember> primary() {
    return running().stream().filter(this::takesWrites).findFirst();
  }

  private boolean takesWrites(PatroniMember member) {
    try (Connection connection = connect(member);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select pg_is_in_recovery()")) {
      return row.next() && !row.getBoolean(1);
    } catch (SQLException e) {
      return false;
    }
  }

  private Connection connect(PatroniMember member) throws SQLException {
    return PostgresServer.dataSource(at(member.port(), url("postgres"))).getConnection();
  }

  /** The port of the standby that no commit waits for, and that is not promoted therefore. */
  int bystander() {
    String name =
        EngineFixture.query(
                PostgresServer.dataSource(url("postgres")),
                "select application_name from pg_stat_replication where sync_state = 'async'")
            .get(0);
    return members.stream()
        .filter(member -> member.name().equals(name))
        .findFirst()
        .orElseThrow()
        .port();
  }

  /** Kills the primary, its Patroni with it; returns its port. */
  int killPrimary() {
    PatroniMember victim = primary().orElseThrow();
    victim.kill();
    return victim.port();
  }

  /** Starts the members that were killed; they follow the primary that there is by then. */
  void restartKilled() {
    members.stream().filter(member -> !member.isRunning()).forEach(PatroniMember::start);
  }

  @Override
  public void close() {
    members.forEach(PatroniMember::kill);
    etcd.ifPresent(Daemon::close);
    Leftovers.remove(this);
  }
}
