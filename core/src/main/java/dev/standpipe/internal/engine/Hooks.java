package dev.standpipe.internal.engine;

import dev.standpipe.internal.engine.execute.ErrorText;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The code that a program runs before and after the work of its process.
 *
 * @param start before the first step is taken, in order
 * @param stop after the last step has ended, in order
 */
public record Hooks(List<Runnable> start, List<Runnable> stop) {
  private static final Logger LOG = LoggerFactory.getLogger(Hooks.class);

  public void runStart() {
    start.forEach(Runnable::run);
  }

  /** A hook that fails must not keep the others from closing their resources. */
  public void runStop() {
    for (Runnable hook : stop) {
      try {
        hook.run();
      } catch (Throwable e) {
        LOG.error("event=stop_hook_failed : the others run nevertheless: {}", ErrorText.text(e));
      }
    }
  }
}
