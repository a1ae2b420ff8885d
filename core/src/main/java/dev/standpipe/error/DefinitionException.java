package dev.standpipe.error;

import java.util.List;

/** A pipeline's definition has mistakes. All of them are listed at once. */
public final class DefinitionException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // always an immutable list of strings
  private final List<String> problems;

  /** Lists the mistakes found in the pipeline of this name. */
  public DefinitionException(String pipeline, List<String> problems) {
    super(
        ErrorCode.INVALID_DEFINITION,
        "Pipeline \""
            + pipeline
            + "\" has "
            + (problems.size() == 1 ? "a problem" : problems.size() + " problems")
            + ":\n  - "
            + String.join("\n  - ", problems));
    this.problems = List.copyOf(problems);
  }

  /** The mistakes, each naming the node and what to do. */
  public List<String> problems() {
    return problems;
  }
}
