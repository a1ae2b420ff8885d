package dev.standpipe.internal.engine.turn;

import dev.standpipe.definition.NodeKind;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.port.Tasks.LastTurn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks which turns claimed loops are at, and what the turns before have handed on. A loop whose
 * next turn stays in this process knows, and so does nothing that is not a loop.
 */
public final class TurnLookup {
  private TurnLookup() {}

  /** Tells each loop among these its turn, and the state if that is not the value before it. */
  public static void find(Tasks tasks, Collection<Attempt> attempts) {
    List<Attempt> asking = new ArrayList<>();
    for (Attempt attempt : attempts) {
      if (attempt.vertex.kind() == NodeKind.LOOP && !attempt.knowsTurn()) {
        asking.add(attempt);
      }
    }
    if (asking.isEmpty()) {
      return;
    }
    List<@Nullable LastTurn> last =
        tasks.lastTurns(asking.stream().map(Attempt::resultKey).toList());
    for (int i = 0; i < asking.size(); i++) {
      LastTurn turn = last.get(i);
      if (turn == null) {
        asking.get(i).turn(TurnPlace.FIRST);
      } else {
        asking.get(i).turn(new TurnPlace(turn.turn() + 1, turn.oldest()), turn.state());
      }
    }
  }
}
