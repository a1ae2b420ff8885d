package dev.standpipe.internal.simulation;

/** A bug planted in the SQL, for the simulation to find. */
enum Mutation {
  NONE,
  /** A settlement is taken from whoever owns the task, with whatever token. */
  GUARD_WITHOUT_TOKEN,
  /** A settlement is taken from whoever sends it, with whatever token. */
  GUARD_LEFT_OUT,
  /** A process is reaped because an earlier look found it expired, renewed since or not. */
  REAPER_DOES_NOT_LOOK_AGAIN,
  /** Whoever was not heard of in an outage is reaped as soon as anybody is. */
  OUTAGE_IS_DEATH,
  /** After a lost reply everything is sent again, as if nothing had taken effect. */
  BLIND_RESEND,
  /** What begins to wait does not look whether it was signaled meanwhile. */
  DEAF_AWAIT,
  /** An arrival that is not the first of its fan-in is forgotten. */
  LOST_ARRIVAL,
  /** The end of a run is followed up and its mark left there. */
  MARK_STAYS,
  /** A run that something follows is not marked when it ends. */
  MARK_FORGOTTEN,
  /** The end of a called run does not wake its caller. */
  UNHEARD_CALL,
  /** Steps of a run that is paused are taken and settled as if it were not. */
  PAUSE_NOT_SEEN,
  /** What was parked stays so when its run is resumed. */
  LEFT_PARKED,
  /** A loop begins anew whenever a process claims it. */
  LOOP_FORGETS,
  /** Turns of a loop stay for ever. */
  TURNS_STAY,
  /** A run that has waited for others begins, and says that it waits. */
  STATUS_FORGOTTEN,
  /** What was asked of a schedule is forgotten when it is paused, resumed or changed. */
  REQUEST_FORGOTTEN,
  /** A transactional step is settled in another transaction than its body wrote in. */
  SETTLED_APART,
  /** A relay notes how far it has come, and not what the sink has taken. */
  EVENT_HIGH_WATER_MARK,
  /** An event does not wait for an earlier one of its subject, which the sink has refused. */
  EVENT_OVERTAKES,
  /** A sub-step is taken from whoever has begun the step, with whatever token. */
  SUB_STEP_WITHOUT_GUARD,
  /** A checkpoint is taken from whoever has begun the step, with whatever token. */
  CHECKPOINT_WITHOUT_GUARD,
  /** A try does not see what earlier ones have called. */
  SUB_STEPS_NOT_READ;

  private static final String EXPIRED =
      "lease_expires_at < cast(unixepoch('subsec') * 1000000 as integer)";

  /** The statement with the bug in it. */
  String of(String sql) {
    return switch (this) {
      case NONE, SETTLED_APART -> sql;
      case GUARD_WITHOUT_TOKEN -> withoutToken(sql);
      case GUARD_LEFT_OUT ->
          withoutToken(sql)
              .replace("where t.owner = ? and t.state = 1", "where ? is not null and t.state = 1");
      case REAPER_DOES_NOT_LOOK_AGAIN ->
          sql.replace("where " + EXPIRED, "where was_expired(id, " + EXPIRED + ")")
              .replace("where p." + EXPIRED, "where was_expired(p.id, p." + EXPIRED + ")");
      case OUTAGE_IS_DEATH ->
          sql.replace(
              "h.steady_since + p.lease_us <= cast(unixepoch('subsec') * 1000000 as integer)",
              "true");
      case BLIND_RESEND ->
          sql.contains("as recorded")
              ? "select 0 as recorded from jsonb_each(?) order by key"
              : sql;
      case DEAF_AWAIT -> sql.replace("value is not null as signaled", "0 as signaled");
      case LOST_ARRIVAL ->
          sql.replace(
              "set remaining = a.remaining + excluded.remaining - excluded.need",
              "set remaining = a.remaining");
      case MARK_STAYS ->
          sql.replace(
              "delete from standpipe_ended where run_id = ?",
              "update standpipe_ended set ended_at = ended_at where run_id = ?");
      case MARK_FORGOTTEN ->
          sql.startsWith("insert into standpipe_ended") ? sql + "\nwhere false" : sql;
      case UNHEARD_CALL ->
          sql.contains("'ended', 'true'")
              ? sql.replace("where c.run_id = ?", "where c.run_id = ? and false")
              : sql;
      case PAUSE_NOT_SEEN ->
          sql.replace(
                  "select r.status = 'running' from",
                  "select r.status in ('running', 'paused') from")
              .replace("r.status = 'paused' as", "false as");
      case LEFT_PARKED -> sql.contains("set lane = p.lane") ? sql + "\nand false" : sql;
      case LOOP_FORGETS ->
          sql.contains("left join standpipe_turn l")
              ? sql.replace("l.run_id = ", "false and l.run_id = ")
              : sql;
      case TURNS_STAY -> sql.startsWith("delete from standpipe_turn") ? sql + "\nand false" : sql;
      case STATUS_FORGOTTEN ->
          sql.replace("where id = ? and status = 'waiting'", "where id = ? and false");
      case REQUEST_FORGOTTEN ->
          sql.replace("f.schedule = ? and f.outcome = 'requested'", "f.schedule = ? and false");
      case EVENT_HIGH_WATER_MARK ->
          sql.replace(
              "and place in (select value ->> 0 from jsonb_each(?))",
              "and place <= (select max(value ->> 0) from jsonb_each(?))");
      case EVENT_OVERTAKES ->
          sql.replace("f.place < d.place and f.due_at", "f.place < 0 and f.due_at");
      case SUB_STEP_WITHOUT_GUARD -> withoutGuard("standpipe_substep", sql);
      case CHECKPOINT_WITHOUT_GUARD -> withoutGuard("standpipe_checkpoint", sql);
      case SUB_STEPS_NOT_READ ->
          sql.replace(
              "select key, value, token from standpipe_substep where",
              "select key, value, token from standpipe_substep where false and");
    };
  }

  private static String withoutGuard(String table, String sql) {
    return sql.startsWith("insert into " + table)
        ? sql.replace("and t.token = w.value ->> 2", "")
            .replace("where t.owner = ? and t.state = 1", "where ? is not null")
        : sql;
  }

  private static String withoutToken(String sql) {
    return sql.replace("and t.token = i.value ->> 3", "")
        .replace("and t.id = i.task and t.token = i.token", "and t.id = i.task")
        .replace("(run_id, id, token) in", "(run_id, id) in")
        .replace(
            "select value ->> 1, value ->> 2, value ->> 3 from",
            "select value ->> 1, value ->> 2 from");
  }
}
