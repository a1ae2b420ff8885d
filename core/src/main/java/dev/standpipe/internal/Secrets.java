package dev.standpipe.internal;

import java.util.regex.Pattern;

/** Passwords as drivers repeat them: in the JDBC URLs that their messages quote. */
public final class Secrets {
  private static final Pattern PARAMETER =
      Pattern.compile("(?i)((?:\\b|[?&;,\\s])[a-z_]*(?:password|passwd|pwd|secret)=)[^&\\s\"']*");

  /**
   * Whatever it is made of, a password in front of a host goes up to the last at sign. A port is
   * none, though an at sign may follow in a parameter.
   */
  private static final Pattern USER_INFO =
      Pattern.compile(
          "(//[^/\\s:@?\"'(]*:)(?!\\d{1,5}/[^\\s\"'@?]*[?][^\\s\"'@]*=)[^\\s\"']+(?=@)");

  private static final Pattern BARE_USER_INFO =
      Pattern.compile("((?:^|[\\s\"'(])(?!jdbc:)[^/\\s:@\"'(]+:)(?!//)[^\\s\"']+(?=@)");

  private Secrets() {}

  /** The text with three stars in the place of each. */
  public static String hidden(String text) {
    String parameters = PARAMETER.matcher(text).replaceAll("$1***");
    String users = USER_INFO.matcher(parameters).replaceAll("$1***");
    return BARE_USER_INFO.matcher(users).replaceAll("$1***");
  }
}
