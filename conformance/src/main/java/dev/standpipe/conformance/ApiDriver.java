package dev.standpipe.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Deployment;
import dev.standpipe.Lane;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.SignalOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.TakeOver;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.info.StepId;
import dev.standpipe.operate.Fork;
import dev.standpipe.operate.Revive;
import dev.standpipe.operate.RunFilter;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Calls every method there is of a part of the API, whatever it is called and whenever it was
 * added, and keeps what is thrown. A method with a parameter of a kind that is not known here fails
 * the test, so that nobody can add one that is never called. Not thread-safe.
 */
final class ApiDriver {
  private static final Set<String> EXPORTED = exported();

  private final Map<String, Throwable> failures = new LinkedHashMap<>();
  private final Map<Class<?>, Object> arguments;

  ApiDriver(Pipeline<?, ?> pipeline, Run<?> run) {
    this.arguments =
        Map.ofEntries(
            Map.entry(Pipeline.class, pipeline),
            Map.entry(Run.class, run),
            Map.entry(Run[].class, new Run<?>[0]),
            Map.entry(UUID.class, run.id()),
            Map.entry(Object.class, "x"),
            Map.entry(String.class, pipeline.name()),
            Map.entry(int.class, 1),
            Map.entry(Class.class, String.class),
            Map.entry(Duration.class, Duration.ofMillis(20)),
            Map.entry(List.class, List.of("x")),
            Map.entry(Function.class, (Function<Object, RunOptions>) x -> RunOptions.none()),
            Map.entry(RunOptions.class, RunOptions.key("k")),
            Map.entry(SignalOptions.class, SignalOptions.none()),
            Map.entry(Deployment.class, new Empty()),
            Map.entry(Revive.class, Revive.all()),
            Map.entry(Fork.class, Fork.unchanged()),
            Map.entry(RunFilter.class, RunFilter.every()),
            Map.entry(Lane.class, new Lane(pipeline.name(), pipeline.graph().hash())),
            Map.entry(StepId.class, new StepId(run.id(), "work", 0)),
            Map.entry(Connection.class, brokenConnection()));
  }

  /** Calls all of its methods but those that end it. */
  void call(Class<?> api, Object part) {
    for (Method method : api.getDeclaredMethods()) {
      boolean called =
          Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers());
      if (called && !method.getName().equals("close")) {
        call(method, part);
      }
    }
  }

  private void call(Method method, Object part) {
    Object[] given = Stream.of(method.getParameterTypes()).map(this::argument).toArray();
    try {
      method.invoke(part, given);
    } catch (InvocationTargetException e) {
      failures.put(method.toGenericString(), e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private Object argument(Class<?> type) {
    assertThat(arguments).as("tell this class what to give for a " + type).containsKey(type);
    return Objects.requireNonNull(arguments.get(type));
  }

  /** What was thrown, by method. */
  Map<String, Throwable> failures() {
    return failures;
  }

  /** Asserts that callers can name it, and whatever caused it. */
  static void assertPublic(Throwable error) {
    assertThat(error).isInstanceOf(StandpipeException.class);
    assertThat(((StandpipeException) error).code()).isNotNull();
    for (Throwable e = error; e != null; e = e.getCause()) {
      String aPackage = e.getClass().getPackageName();
      assertThat(aPackage.startsWith("dev.standpipe") && !EXPORTED.contains(aPackage))
          .as("%s is hidden from callers", e.getClass())
          .isFalse();
    }
  }

  /** Of the module that callers use. */
  private static Set<String> exported() {
    try {
      Path classes =
          Path.of(Standpipe.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return ModuleFinder.of(classes)
          .find("dev.standpipe")
          .orElseThrow()
          .descriptor()
          .exports()
          .stream()
          .filter(exports -> !exports.isQualified())
          .map(Exports::source)
          .collect(Collectors.toSet());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Connection brokenConnection() {
    return (Connection)
        Proxy.newProxyInstance(
            ApiDriver.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, given) -> {
              throw new SQLException("This connection is broken", "08006");
            });
  }

  private static final class Empty implements Deployment {
    @Override
    public List<Pipeline<?, ?>> pipelines() {
      return List.of();
    }

    @Override
    public List<TakeOver> takeOvers() {
      return List.of();
    }
  }
}
