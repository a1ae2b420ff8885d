package dev.standpipe.internal.engine.commit;

import dev.standpipe.internal.engine.execute.Attempt;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The actions of this process after a commit.
 *
 * @param attempts the tries it goes on with
 * @param halting runs that may have nothing left to wait for
 * @param finished those of them that a step has ended early: results of their bodies are not wanted
 *     any more
 * @param othersReady whether there are tasks now that any process may take
 * @param followed whether runs have ended whose end something follows
 */
record PostCommitActions(
    List<Attempt> attempts,
    Set<UUID> halting,
    Set<UUID> finished,
    boolean othersReady,
    boolean followed) {
  static final PostCommitActions NOTHING =
      new PostCommitActions(List.of(), Set.of(), Set.of(), false, false);
}
