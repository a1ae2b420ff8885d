package dev.standpipe.cli;

import dev.standpipe.internal.Secrets;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells the user that a command was called in a wrong way: what is wrong first, then the usage. */
final class Misuse implements IParameterExceptionHandler {
  /** The value of an option that nobody knows may be a password. */
  private static final Pattern UNKNOWN_VALUE = Pattern.compile("(--?[\\w-]+=)[^\\s',]+");

  private static final int MOST_TYPOS = 2;

  @Override
  public int handleParseException(ParameterException error, String[] args) {
    CommandLine command = error.getCommandLine();
    PrintWriter err = command.getErr();
    Optional<String> meant = meant(error);
    String problem =
        meant
            .map(name -> "Unknown command. Did you mean: " + name + "?")
            .orElseGet(() -> problem(error));
    err.println(command.getColorScheme().errorText("standpipe: " + problem));
    if (meant.isEmpty() && !UnmatchedArgumentException.printSuggestions(error, err)) {
      command.usage(err, command.getColorScheme());
    }
    err.flush();
    return CommandFailure.USAGE;
  }

  private static String problem(ParameterException error) {
    String text = Secrets.hidden(String.valueOf(error.getMessage()));
    return error instanceof UnmatchedArgumentException
        ? UNKNOWN_VALUE.matcher(text).replaceAll("$1***")
        : text;
  }

  /**
   * The command that was misspelled, if what is unknown is like one; its options are unknown too.
   */
  private static Optional<String> meant(ParameterException error) {
    if (!(error instanceof UnmatchedArgumentException unmatched)) {
      return Optional.empty();
    }
    CommandLine command = error.getCommandLine();
    return unmatched.getUnmatched().stream()
        .filter(word -> !word.startsWith("-"))
        .findFirst()
        .flatMap(
            word ->
                command.getSubcommands().entrySet().stream()
                    .filter(one -> !one.getValue().getCommandSpec().usageMessage().hidden())
                    .map(one -> one.getKey())
                    .filter(name -> typos(word, name) <= MOST_TYPOS)
                    .min((a, b) -> typos(word, a) - typos(word, b)))
        .map(name -> command.getCommandSpec().qualifiedName() + " " + name);
  }

  /** How many letters are wrong, missing, too many or in each other's place. */
  private static int typos(String word, String name) {
    int[][] d = new int[word.length() + 1][name.length() + 1];
    for (int i = 0; i <= word.length(); i++) {
      for (int j = 0; j <= name.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        boolean same = word.charAt(i - 1) == name.charAt(j - 1);
        d[i][j] =
            Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (same ? 0 : 1));
        boolean swapped =
            i > 1
                && j > 1
                && word.charAt(i - 1) == name.charAt(j - 2)
                && word.charAt(i - 2) == name.charAt(j - 1);
        d[i][j] = swapped ? Math.min(d[i][j], d[i - 2][j - 2] + 1) : d[i][j];
      }
    }
    return d[word.length()][name.length()];
  }
}
