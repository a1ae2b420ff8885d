package dev.standpipe.supervisor;

import dev.standpipe.internal.engine.lease.ProcessIdFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How a child is started.
 *
 * @param main the class whose main method it runs
 * @param classPath its class path
 * @param jvmOptions options of its JVM
 * @param arguments what its main method is given
 * @param environment what is added to this process's environment
 */
record Launch(
    String main,
    String classPath,
    List<String> jvmOptions,
    List<String> arguments,
    Map<String, String> environment) {

  Process start(Path roster) {
    ProcessBuilder builder = new ProcessBuilder(command(roster));
    builder.environment().putAll(environment);
    builder.inheritIO().redirectInput(ProcessBuilder.Redirect.PIPE);
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot start a child", e);
    }
  }

  private List<String> command(Path roster) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.add("-D" + ProcessIdFile.PROPERTY + "=" + roster);
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(arguments);
    return command;
  }
}
