package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.port.Tasks.ResultKey;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results of one node that follow each other: those of elements that were claimed together, above
 * all.
 *
 * @param first the first of them
 * @param count how many they are
 */
public record ResultRange(ResultKey first, int count) {
  /** As few as make up all the keys, in their order. */
  public static List<ResultRange> of(List<ResultKey> keys) {
    List<ResultRange> stretches = new ArrayList<>();
    int from = 0;
    for (int i = 1; i <= keys.size(); i++) {
      if (i == keys.size() || !follows(keys.get(i - 1), keys.get(i))) {
        stretches.add(new ResultRange(keys.get(from), i - from));
        from = i;
      }
    }
    return stretches;
  }

  private static boolean follows(ResultKey key, ResultKey next) {
    return next.index() == key.index() + 1
        && next.run().equals(key.run())
        && next.node().equals(key.node());
  }

  /** The values of all of them; {@code null} where there is none. */
  public static List<@Nullable String> values(Session session, List<ResultRange> stretches)
      throws SQLException {
    List<@Nullable String> values = new ArrayList<>();
    for (ResultRange stretch : stretches) {
      values.addAll(stretch.values(session));
    }
    return values;
  }

  private List<@Nullable String> values(Session session) throws SQLException {
    @Nullable String[] values = new String[count];
    session
        .query("task_elements")
        .set("run", first.run())
        .set("node", first.node())
        .set("from", first.index())
        .set("to", first.index() + count - 1)
        .set("limit", count)
        .forEach(row -> values[row.getInt("idx") - first.index()] = row.getString("value"));
    return Arrays.asList(values);
  }
}
