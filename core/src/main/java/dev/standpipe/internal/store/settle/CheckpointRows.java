package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.CheckpointDone;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.settle.EffectWriters.SettledEffect;
import java.sql.SQLException;
import java.util.List;

/** The checkpoints of steps that have succeeded. */
final class CheckpointRows {
  private CheckpointRows() {}

  static void remove(Session session, List<SettledEffect<CheckpointDone>> done)
      throws SQLException {
    Rows steps = new Rows("run uuid", "node text", "idx integer");
    for (SettledEffect<CheckpointDone> settled : done) {
      Settlement s = settled.of();
      steps.add(s.run(), s.node(), s.index());
    }
    session.query("settle_checkpoint").set("steps", steps).update();
  }
}
