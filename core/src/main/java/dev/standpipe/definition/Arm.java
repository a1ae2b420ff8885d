package dev.standpipe.definition;

/**
 * One way out of a divert, as the nodes on it name it.
 *
 * @param divert the key of the divert
 * @param name the arm's name
 */
public record Arm(String divert, String name) {
  /** The arm taken when the selector names none of the others. */
  public static final String OTHERWISE = "otherwise";
}
