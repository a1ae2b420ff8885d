package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSerializeAs;
import dev.standpipe.error.StandpipeException;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A framework that manages Jackson 2 sets the annotations to a version Jackson 3 cannot use. */
class OldAnnotationsTest {
  @TempDir Path directory;

  @Test
  void tooOldAnnotationsAreReported() throws Exception {
    try (URLClassLoader old = withOldAnnotations()) {
      Class<?> standpipe = old.loadClass(Standpipe.class.getName());
      refuses(standpipe.getMethod("on", DataSource.class), new Object[] {null});
      Method define =
          old.loadClass(Pipeline.class.getName())
              .getMethod("define", String.class, Class.class, Class.class, Function.class);
      refuses(define, "name", String.class, String.class, Function.identity());
    }
  }

  private static void refuses(Method method, Object... arguments) {
    assertThatThrownBy(() -> method.invoke(null, arguments))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .hasMessageContaining("old-annotations.jar")
        .hasMessageContaining("set com.fasterxml.jackson.core:jackson-annotations to 2.22")
        .satisfies(
            error ->
                assertThat(error.getClass().getName())
                    .isEqualTo(StandpipeException.class.getName()));
  }

  private URLClassLoader withOldAnnotations() throws IOException, URISyntaxException {
    Path present =
        Path.of(JsonSerializeAs.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path old = Files.copy(present, directory.resolve("old-annotations.jar"));
    try (FileSystem jar =
        FileSystems.newFileSystem(URI.create("jar:" + old.toUri()), java.util.Map.of())) {
      Files.delete(jar.getPath(JsonSerializeAs.class.getName().replace('.', '/') + ".class"));
    }
    List<URL> urls = new ArrayList<>();
    for (String entry : classPath()) {
      Path path = Path.of(entry);
      urls.add((path.equals(present) ? old : path).toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  private static String[] classPath() {
    return System.getProperty("java.class.path").split(File.pathSeparator, -1);
  }
}
