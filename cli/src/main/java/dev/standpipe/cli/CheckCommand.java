package dev.standpipe.cli;

import dev.standpipe.Deployment;
import dev.standpipe.cli.database.Target;
import dev.standpipe.operate.Incompatibility;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code standpipe check}: which runs in flight a program to be deployed cannot go on with. */
@Command(
    name = "check",
    description = {
      "Tell, before a deploy, which runs in flight the new code cannot go on with, and why. The new"
          + " code is a class that implements dev.standpipe.Deployment, with a constructor that takes"
          + " nothing."
    },
    footer = {"", "Exits with 0 if the code can go on with all runs, 1 if it cannot."})
final class CheckCommand implements Callable<Integer> {
  private static final int SHOWN = 12;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private Target target = new Target();

  @Option(
      names = "--deployment",
      paramLabel = "CLASS",
      required = true,
      description = "The class that says what the new code serves.")
  private String deployment = "";

  @Option(
      names = "--class-path",
      paramLabel = "PATH",
      description = "Where it is: jars and folders, as java -cp takes them, dir/* for all jars.")
  private String classPath = "";

  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    List<Incompatibility> found = new ArrayList<>();
    try (URLClassLoader loader = new URLClassLoader(urls(), getClass().getClassLoader())) {
      Deployment code = load(loader);
      target.with(standpipe -> found.addAll(standpipe.check(code)));
    }
    print(found);
    return found.isEmpty() ? 0 : CommandFailure.FAILED;
  }

  private Deployment load(ClassLoader loader) {
    try {
      Class<?> type = Class.forName(deployment, true, loader);
      return (Deployment) type.getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
      throw new CommandFailure(
          CommandFailure.USAGE,
          "--deployment %s cannot be used: %s. It is a class on the --class-path that implements %s and has a public constructor without parameters."
              .formatted(deployment, e, Deployment.class.getName()),
          e);
    }
  }

  private URL[] urls() throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      if (entry.endsWith("*")) {
        File[] jars =
            new File(entry.substring(0, entry.length() - 1))
                .listFiles((folder, name) -> name.endsWith(".jar"));
        for (File jar : jars == null ? new File[0] : jars) {
          urls.add(jar.toURI().toURL());
        }
      } else if (!entry.isEmpty()) {
        urls.add(new File(entry).toURI().toURL());
      }
    }
    return urls.toArray(URL[]::new);
  }

  private void print(List<Incompatibility> found) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(
          JsonMapper.shared().writeValueAsString(found.stream().map(CheckCommand::map).toList()));
    } else if (found.isEmpty()) {
      out.println("The code can go on with all runs in flight.");
    } else {
      for (Incompatibility one : found) {
        out.printf(
            "%s@%s, %d runs:%n", one.lane().pipeline(), hash(one).substring(0, SHOWN), one.runs());
        one.problems().forEach(problem -> out.printf("  %s%n", problem));
      }
    }
    out.flush();
  }

  private static String hash(Incompatibility found) {
    return found.lane().definition();
  }

  private static Map<String, Object> map(Incompatibility found) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("pipeline", found.lane().pipeline());
    map.put("definition", hash(found));
    map.put("runs", found.runs());
    map.put("problems", found.problems());
    return map;
  }
}
