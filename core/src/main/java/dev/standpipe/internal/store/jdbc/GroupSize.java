package dev.standpipe.internal.store.jdbc;

/** How many go together. SQL names these, as in {@code :bundle.few}; see {@link SqlConstants}. */
public enum GroupSize {
  /** So few tasks are not worth a bundle: everybody can take some of them at the same time. */
  FEW("bundle.few", 100),
  /** The most tasks that wait in one row. */
  BUNDLE("bundle.largest", 1_000),
  /** The most runs that are leased in one row: as many as one commit settles. */
  PART("part.largest", 200),
  /** With how many other suspects one may be held of which nothing else is known. */
  SUSPECTS("suspects.most", 1_000);

  private final String word;
  private final int number;

  GroupSize(String word, int number) {
    this.word = word;
    this.number = number;
  }

  String word() {
    return word;
  }

  /** How many. */
  public int number() {
    return number;
  }
}
