package dev.standpipe.error;

import java.util.List;

/** Two pipelines under one name in one process. Nothing was changed. */
public final class DuplicatePipelineException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /**
   * Says how they differ and what is allowed.
   *
   * @param same whether their graphs are the same
   * @param problems why one cannot stand for the other, if so
   */
  public DuplicatePipelineException(String pipeline, boolean same, List<String> problems) {
    super(
        ErrorCode.DUPLICATE_PIPELINE,
        "Two pipelines are named \"%s\" and %s. A process serves one definition under a name: give each its own name, or serve one and take the runs of the other over."
            .formatted(
                pipeline,
                same
                    ? "have the same graph"
                    : "differ" + (problems.isEmpty() ? "" : ": " + String.join("; ", problems))));
  }
}
