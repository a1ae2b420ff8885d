package dev.standpipe.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code standpipe version}: what to put into a bug report. */
@Command(
    name = "version",
    description = "Print the version of Standpipe, of Java and of the operating system.")
final class VersionCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    out.println("standpipe " + Version.current());
    out.println("java      " + property("java.version") + " (" + property("java.vendor") + ")");
    out.println(
        "os        "
            + property("os.name")
            + " "
            + property("os.version")
            + " ("
            + property("os.arch")
            + ")");
    out.flush();
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }
}
