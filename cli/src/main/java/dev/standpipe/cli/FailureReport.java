package dev.standpipe.cli;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.Secrets;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Tells the user in one line what went wrong, with a stack trace only for those who ask. */
final class FailureReport implements IExecutionExceptionHandler {
  private final BooleanSupplier verbose;

  FailureReport(BooleanSupplier verbose) {
    this.verbose = verbose;
  }

  @Override
  public int handleExecutionException(
      Exception error, CommandLine commandLine, ParseResult parsed) {
    PrintWriter err = commandLine.getErr();
    err.println(commandLine.getColorScheme().errorText("standpipe: " + line(error)));
    if (verbose.getAsBoolean()) {
      StringWriter trace = new StringWriter();
      error.printStackTrace(new PrintWriter(trace));
      err.print(Secrets.hidden(trace.toString()));
    }
    err.flush();
    return exitCode(error);
  }

  private static String line(Exception error) {
    String text = Secrets.hidden(String.valueOf(error.getMessage()));
    String message = text.strip().replaceAll("\\s*\\R\\s*", " ");
    return error instanceof CommandFailure || error instanceof StandpipeException
        ? message
        : "unexpected %s: %s. Run it again with --verbose and report what it prints."
            .formatted(error.getClass().getSimpleName(), message);
  }

  private static int exitCode(Exception error) {
    if (error instanceof CommandFailure failure) {
      return failure.exitCode();
    }
    boolean usage =
        error instanceof StandpipeException known
            && (known.code() == ErrorCode.INVALID_SETTING
                || known.code() == ErrorCode.INVALID_ARGUMENT);
    return usage ? CommandFailure.USAGE : CommandFailure.FAILED;
  }
}
