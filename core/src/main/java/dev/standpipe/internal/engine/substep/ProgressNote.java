package dev.standpipe.internal.engine.substep;

/**
 * How far a body says that it has come.
 *
 * @param done how much is done
 * @param total how much there is to do
 * @param note what else there is to say; may be empty
 */
public record ProgressNote(long done, long total, String note) {
  private static final int LONGEST = 200;

  /** A report, checked. */
  public static ProgressNote of(long done, long total, String note) {
    if (done < 0 || total < 0) {
      throw new IllegalArgumentException(
          "Progress is not below zero, was " + done + " of " + total);
    }
    boolean fits = note.length() <= LONGEST;
    return new ProgressNote(done, total, fits ? note : note.substring(0, LONGEST - 1) + "…");
  }
}
