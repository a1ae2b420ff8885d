package dev.standpipe.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Which version this is, as the build wrote it down. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"standpipe " + current()};
  }

  static String current() {
    try (InputStream file = Version.class.getResourceAsStream("version.properties")) {
      Properties properties = new Properties();
      properties.load(Objects.requireNonNull(file));
      return properties.getProperty("version", "unknown");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
