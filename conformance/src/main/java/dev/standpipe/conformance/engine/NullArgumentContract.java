package dev.standpipe.conformance.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Deployment;
import dev.standpipe.Fail;
import dev.standpipe.Lane;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.SignalOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.StandpipeBuilder;
import dev.standpipe.TakeOver;
import dev.standpipe.TypeToken;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.info.StepId;
import dev.standpipe.operate.Fork;
import dev.standpipe.operate.Operator;
import dev.standpipe.operate.Quarantine;
import dev.standpipe.operate.Revive;
import dev.standpipe.operate.RunFilter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whoever gives null to a method of the API is told so, and not where in the engine it fell. */
public interface NullArgumentContract extends EnginePart {
  @Test
  default void nullArgumentsThrowNoNullPointerException() throws ReflectiveOperationException {
    Pipeline<String, String> pipeline = EngineFixture.single("nulls", (text, ctx) -> text);
    Standpipe standpipe = engine().client();
    Run<String> run = standpipe.start(pipeline, "in");
    Map<Class<?>, Object> samples = samples(pipeline, run);
    List<Object> parts =
        List.of(
            standpipe,
            standpipe.operator("somebody"),
            standpipe.quarantine(),
            standpipe.operator("somebody").bulk(RunFilter.where().pipeline("none")),
            standpipe.after(run),
            run,
            Standpipe.on(engine().source()),
            RunOptions.none(),
            SignalOptions.none(),
            RunFilter.where(),
            Retry.never(),
            Fork.unchanged(),
            Revive.all(),
            TakeOver.of(pipeline));
    List<String> fell = new ArrayList<>();
    for (Object part : parts) {
      for (Method method : methods(part)) {
        fell.addAll(tried(part, method, samples));
      }
    }
    List<Class<?>> types =
        List.of(
            Fail.class,
            Fork.class,
            Lane.class,
            Retry.class,
            Revive.class,
            RunOptions.class,
            SignalOptions.class,
            Standpipe.class,
            TakeOver.class,
            TypeToken.class);
    for (Class<?> type : types) {
      for (Method method : statics(type)) {
        fell.addAll(tried(null, method, samples));
      }
    }
    assertThat(fell).isEmpty();
  }

  private static Map<Class<?>, Object> samples(Pipeline<String, String> pipeline, Run<String> run) {
    Deployment deployment = () -> List.of(pipeline);
    Function<Object, RunOptions> none = input -> RunOptions.none();
    Predicate<Throwable> never = error -> false;
    Map<Class<?>, Object> samples = new HashMap<>();
    samples.put(Pipeline.class, pipeline);
    samples.put(Run.class, run);
    samples.put(Run[].class, new Run<?>[] {run});
    samples.put(Pipeline[].class, new Pipeline<?, ?>[] {pipeline});
    samples.put(TakeOver[].class, new TakeOver[] {TakeOver.of(pipeline)});
    samples.put(RunStatus[].class, new RunStatus[] {RunStatus.HALTED});
    samples.put(String[].class, new String[] {"text"});
    samples.put(UUID.class, UUID.randomUUID());
    samples.put(String.class, "text");
    samples.put(Object.class, "value");
    samples.put(Duration.class, Duration.ofSeconds(1));
    samples.put(Instant.class, Instant.EPOCH);
    samples.put(RunOptions.class, RunOptions.none());
    samples.put(SignalOptions.class, SignalOptions.none());
    samples.put(RunFilter.class, RunFilter.where().pipeline("none"));
    samples.put(Fork.class, Fork.unchanged());
    samples.put(Revive.class, Revive.all());
    samples.put(Lane.class, Lane.of(pipeline));
    samples.put(StepId.class, new StepId(UUID.randomUUID(), "work", 0));
    samples.put(Deployment.class, deployment);
    samples.put(List.class, List.of("in"));
    samples.put(Class.class, String.class);
    samples.put(Function.class, none);
    samples.put(Predicate.class, never);
    samples.put(Throwable.class, new IllegalStateException("thrown"));
    samples.put(int.class, 1);
    samples.put(long.class, 1L);
    samples.put(double.class, 0.5);
    samples.put(boolean.class, true);
    return samples;
  }

  /** The methods of the API that it has, whatever its own class is. */
  private static List<Method> methods(Object part) throws NoSuchMethodException {
    List<Method> found = new ArrayList<>();
    List<Class<?>> apis =
        Stream.of(Operator.class, Quarantine.class, Run.class, RunOptions.class)
            .filter(api -> api.isInstance(part))
            .<Class<?>>map(api -> api)
            .toList();
    Class<?> type =
        apis.isEmpty()
            ? part.getClass().getInterfaces().length == 1
                ? part.getClass().getInterfaces()[0]
                : part.getClass()
            : apis.get(0);
    for (Method method : type.getMethods()) {
      if (method.getDeclaringClass() != Object.class
          && !Modifier.isStatic(method.getModifiers())
          && !method.getName().equals("equals")
          && !(part instanceof StandpipeBuilder && method.getName().equals("start"))) {
        found.add(method);
      }
    }
    return found;
  }

  private static List<Method> statics(Class<?> type) {
    return Stream.of(type.getMethods())
        .filter(method -> Modifier.isStatic(method.getModifiers()))
        .toList();
  }

  /** What fell on null, for each of the places where null can be. */
  private static List<String> tried(
      @Nullable Object part, Method method, Map<Class<?>, Object> samples)
      throws IllegalAccessException {
    List<String> fell = new ArrayList<>();
    Class<?>[] types = method.getParameterTypes();
    for (int i = 0; i < types.length; i++) {
      if (types[i].isPrimitive()) {
        continue;
      }
      Object[] arguments = Stream.of(types).map(samples::get).toArray();
      arguments[i] = null;
      try {
        method.invoke(part, arguments);
      } catch (InvocationTargetException e) {
        if (e.getCause() instanceof NullPointerException) {
          fell.add(method + " with null in place " + i + ": " + e.getCause().getMessage());
        }
      }
    }
    return fell;
  }
}
