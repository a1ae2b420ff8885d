package dev.standpipe.internal.simulation;

import dev.standpipe.StepContext;
import dev.standpipe.internal.coordinate.Model.Step;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The sub-steps and checkpoints of bodies, and what must be true of them: a call that was committed
 * is not made again, its value stays, and nothing is written with a token once a try with a newer
 * one has looked.
 */
final class SimCalls {
  private final SimDatabase database;
  private final List<String> violations = new ArrayList<>();
  private final List<Look> looks = new ArrayList<>();
  private final Map<CallKey, String> returned = new HashMap<>();
  private final Map<String, Long> tokens = new HashMap<>();
  private final Map<StepKey, Kept> kept = new HashMap<>();
  private int made;

  /** A step; of a loop, one of its turns. */
  private record StepKey(UUID run, String node, int index, int turn) {}

  private record CallKey(StepKey step, String key) {}

  /** What a try found of earlier ones when it first looked. */
  private record Look(StepKey step, long token, Set<String> keys) {}

  /** A checkpoint that a body was told is written. */
  private record Kept(long token, int value) {}

  SimCalls(SimDatabase database) {
    this.database = database;
  }

  /** What a body does of both. */
  void act(SimFlow flow, Step step, StepContext ctx) throws SQLException {
    StepKey of = new StepKey(ctx.runId(), ctx.node(), ctx.index(), ctx.turn());
    int calls = flow.calls(step);
    if (calls > 0) {
      looks.add(new Look(of, ctx.token(), stored(of).keySet()));
    }
    for (int i = 0; i < calls; i++) {
      once(of, "call " + i, ctx);
    }
    if (flow.checkpoints(step)) {
      checkpoint(of, ctx);
    }
  }

  private void once(StepKey step, String key, StepContext ctx) throws SQLException {
    CallKey call = new CallKey(step, key);
    String value = ctx.once(key, String.class, () -> make(call, ctx));
    String before = returned.putIfAbsent(call, value);
    if (before != null && !before.equals(value)) {
      violations.add(call + " returned " + before + " and then " + value);
    }
    if (!tokens.containsKey(value)) {
      violations.add(call + " returned " + value + ", which no call has made");
    }
  }

  private String make(CallKey call, StepContext ctx) throws SQLException {
    Long token = stored(call.step()).get(call.key());
    if (token != null && token <= ctx.token()) {
      violations.add(call + " is made again with the token " + ctx.token());
    }
    String value = "made " + ++made;
    tokens.put(value, ctx.token());
    return value;
  }

  private void checkpoint(StepKey step, StepContext ctx) {
    int found = ctx.checkpoint(Integer.class).orElse(0);
    Kept last = kept.get(step);
    if (found > 0) {
      judge(step, found, last);
    } else if (last != null && last.token() <= ctx.token()) { // it goes when its step succeeds
      violations.add(step + " has lost the checkpoint " + last);
    }
    int next = ++made;
    tokens.put("at " + next, ctx.token());
    ctx.checkpoint(next);
    kept.merge(
        step,
        new Kept(ctx.token(), next),
        (one, other) -> one.token() > other.token() ? one : other);
  }

  private void judge(StepKey step, int found, Kept last) {
    long token = tokens.getOrDefault("at " + found, -1L);
    boolean older =
        last != null && (token < last.token() || (token == last.token() && found < last.value()));
    if (older) {
      violations.add(step + " has the checkpoint " + found + " of " + token + " after " + last);
    }
  }

  /** What was wrong, once all is drained. */
  List<String> judge() throws SQLException {
    for (Look look : looks) {
      stored(look.step())
          .forEach(
              (key, token) -> {
                if (token < look.token() && !look.keys().contains(key)) {
                  violations.add(
                      "I3: "
                          + look.step()
                          + " "
                          + key
                          + " was written with "
                          + token
                          + " after "
                          + look.token()
                          + " had looked");
                }
              });
    }
    Set<StepKey> steps = new HashSet<>(kept.keySet());
    steps.removeIf(step -> count("standpipe_checkpoint c where", step) == 0);
    for (StepKey step : steps) {
      if (count("standpipe_result r where outcome = 1 and", step) > 0) {
        violations.add(step + " has succeeded and its checkpoint is there");
      }
    }
    returned.forEach(
        (call, value) -> {
          boolean over =
              count("standpipe_turn t where turn >= " + call.step().turn() + " and", call.step())
                  > 0;
          long stored =
              count("standpipe_substep s where key = '" + call.key() + "' and", call.step());
          if (!over && stored != 1) {
            violations.add(call + " has returned " + value + " and is not stored");
          }
        });
    return violations;
  }

  /** The tokens of a step's sub-steps by their keys. */
  private Map<String, Long> stored(StepKey step) throws SQLException {
    try (PreparedStatement statement = prepare("key, token from standpipe_substep where", step);
        ResultSet row = statement.executeQuery()) {
      Map<String, Long> tokensByKey = new HashMap<>();
      while (row.next()) {
        tokensByKey.put(row.getString("key"), row.getLong("token"));
      }
      return tokensByKey;
    }
  }

  private long count(String from, StepKey step) {
    try (PreparedStatement statement = prepare("count(*) from " + from, step);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    } catch (SQLException e) {
      throw new IllegalStateException(from, e);
    }
  }

  private PreparedStatement prepare(String what, StepKey step) throws SQLException {
    PreparedStatement statement =
        database
            .connection()
            .prepareStatement("select " + what + " run_id = ? and node = ? and idx = ?");
    statement.setString(1, step.run().toString());
    statement.setString(2, step.node());
    statement.setInt(3, step.index());
    return statement;
  }
}
