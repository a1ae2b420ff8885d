package dev.standpipe.internal.engine.commit;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.loop.EngineLoop;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.port.Store;
import java.util.ArrayList;
import java.util.List;

/** The committers of a process, each with its queue and its loop. Thread-safe. */
public final class Committers {
  private final List<Committer> committers = new ArrayList<>();
  private final List<EngineLoop> loops = new ArrayList<>();

  /** Makes one committer for each store; nothing runs yet. */
  public Committers(
      List<Store> stores,
      ProcessState processState,
      CommitReplyHandler replyHandler,
      CommitQueues queues,
      Machine machine) {
    for (Store store : stores) {
      Committer.Queues own = queues.of(committers.size());
      Committer committer = new Committer(store, processState, replyHandler, own, machine);
      committers.add(committer);
      EngineLoop.Pass flush = processState.backpressure().felt(committer::flush);
      loops.add(new EngineLoop("committer-" + committers.size(), flush, processState.events()));
    }
  }

  /** Has one of them flush now. */
  public void wake(int which) {
    loops.get(which).wake();
  }

  /** Has all of them flush now. */
  public void wake() {
    loops.forEach(EngineLoop::wake);
  }

  /** Whether all outcomes are committed. */
  public boolean areSettled() {
    return committers.stream().allMatch(Committer::isSettled);
  }

  public List<EngineLoop> loops() {
    return loops;
  }
}
