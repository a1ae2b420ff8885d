package dev.standpipe.error;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** A divert's selector named no arm, and the divert has no otherwise. The run halts. */
public final class UnmatchedDivertException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** Says which arm the selector named and which arms there are. */
  public UnmatchedDivertException(String divert, @Nullable String named, Collection<String> arms) {
    super(
        ErrorCode.UNMATCHED_DIVERT,
        "The divert \""
            + divert
            + "\" has no arm "
            + (named == null ? "for null" : '"' + named + '"')
            + ", only "
            + String.join(", ", arms)
            + ": name one of them, or wire an otherwise");
  }
}
