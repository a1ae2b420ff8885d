package dev.standpipe.checker;

import java.util.function.Consumer;

/** Judges one invariant. */
interface Rule {
  /** Which, such as {@code I3}. */
  String invariant();

  /** Says, in words, each way in which the evidence breaks it. */
  void judge(Evidence evidence, Consumer<String> violation);
}
