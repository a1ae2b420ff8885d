package dev.standpipe.internal.store;

import dev.standpipe.spi.Tasks.ResultKey;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results of one node that follow each other: those of the elements of a bundle, above all.
 *
 * @param first the first of them
 * @param count how many they are
 */
record Stretch(ResultKey first, int count) {
  /** As few as make up all the keys, in their order. */
  static List<Stretch> of(List<ResultKey> keys) {
    List<Stretch> stretches = new ArrayList<>();
    int from = 0;
    for (int i = 1; i <= keys.size(); i++) {
      if (i == keys.size() || !follows(keys.get(i - 1), keys.get(i))) {
        stretches.add(new Stretch(keys.get(from), i - from));
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
  static List<@Nullable String> values(Session session, List<Stretch> stretches)
      throws SQLException {
    List<@Nullable String> values = new ArrayList<>();
    for (Stretch stretch : stretches) {
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
