package dev.standpipe.conformance.guard;

import java.util.List;
import java.util.stream.Stream;

/** The guards in the stores' SQL, each taken out on its own. */
final class GuardMutants {
  private static final String POSTGRES = "postgres";
  private static final String SQLITE = "sqlite";
  private static final String TOKEN = "t.token = i.token";
  private static final String ONE_TOKEN = "t.token = :token";
  private static final String ONE_STOPPED = "where s.run_id = :run) is null";
  private static final String STATE = "t.state + 0 = :state.leased";
  private static final String STOPPED = "where s.run_id = i.run) is null";
  private static final String NO_LIST = "a run that halts is not on the list";
  private static final String OWNER = "t.owner is not distinct from :owner";
  private static final String SOME_OWNER = "coalesce(:owner::uuid, t.owner) is not null";

  private static final String HASHED = "and :hash::text is not null";
  private static final String LIVE_OWNERS = "left join standpipe.process p on p.id = i.owner";
  private static final String ANY_OWNERS = "cross join lateral (select i.owner as id) p";
  private static final String LIVE_OWNER = "standpipe.process p on p.id = :owner::uuid";
  private static final String ANY_OWNER = "(select :owner::uuid as id) p on true";
  private static final String REAPED_STARTS = "a start is leased to one that was reaped";
  private static final String OTHER_LANE = "a run starts in the lane of another definition";
  private static final String SERVED = "and l.parks_for is null";
  private static final String PARKING_LANE = "a run starts in a lane that nobody serves";

  private static final String GOES_ON = "in ('running', 'waiting', 'paused')";
  private static final String IS_STOPPING = "in ('halting', 'finishing', 'canceling')";
  private static final String FAILED_TOO = "'failed', ";
  private static final String NOT_REVIVED = "a failed run is not revived";

  private GuardMutants() {}

  /** Those that a check must notice. */
  static List<GuardMutant> killed() {
    return Stream.of(postgres(), sqlite()).flatMap(List::stream).toList();
  }

  private static List<GuardMutant> postgres() {
    GuardMutant token = pg("settle", TOKEN, "true", "an old token settles");
    GuardMutant owner = pg("settle", OWNER, SOME_OWNER, "a stranger settles");
    GuardMutant stopped = pg("settle", STOPPED, "where false) is null", "a stopped run goes on");
    GuardMutant made =
        pg("task_claim", "o.token + 1", "o.token", "a task of a bundle has no new token");
    return List.of(
        pg("task_claim", "token = t.token + 1", "token = t.token", "a new try has the old token"),
        made,
        made.second(),
        pg(
            "task_claim",
            "nullif(o.first_index + o.taken, t.idx)",
            "o.first_index",
            "elements come twice"),
        pg("task_claim", "b.n - (", "b.n + (", "a bundle gives more than was asked for"),
        pg(
            "task_claim",
            "coalesce(-b.priority, 32767::smallint)",
            "32767::smallint",
            "what is younger goes before a bundle"),
        pg(
            "task_live",
            "1 + coalesce(idx - first_index, 0)",
            "1",
            "a window forgets what is in a bundle"),
        token,
        token.second(),
        owner,
        owner.second(),
        stopped,
        stopped.second(),
        pg("settle", "else t.token + 1 end", "else t.token end", "one token covers two steps"),
        pg("settle", "else 0 end", "else t.crashes end", "a follower inherits crashes"),
        pg(
            "part_settle",
            "owner is not distinct from :owner",
            "coalesce(:owner::uuid, owner) is not null",
            "a stranger settles"),
        pg("part_settle", "get_bit(p.done, i.place - 1) = 0", "true", "a step is settled twice"),
        pg("part_settle", STOPPED, "where false) is null", "a stopped run goes on"),
        pg("part_settle", "token + 1, 1, 0", "token, 1, 0", "one token covers two steps"),
        pg(
            "part_settle",
            "where followed > :followed.by_nothing",
            "where false",
            "an end is not marked"),
        pg("part_dissolve", "m.place > g.first_index", "true", "who was taken comes again"),
        pg(
            "part_dissolve",
            "get_bit(g.done, m.place::integer - 1) = 0",
            "true",
            "what is settled comes again"),
        pg("settle_one_on", ONE_TOKEN, "true", "an old token settles"),
        pg("settle_one_on", OWNER, SOME_OWNER, "a stranger settles"),
        pg("settle_one_on", ONE_STOPPED, "where false) is null", "a stopped run goes on"),
        pg("settle_one_on", "token = t.token + 1", "token = t.token", "one token covers two steps"),
        pg("settle_one_on", "crashes = 0", "crashes = t.crashes", "a follower inherits crashes"),
        pg("settle_one_last", ONE_TOKEN, "true", "an old token settles"),
        pg("settle_one_last", OWNER, SOME_OWNER, "a stranger settles"),
        pg("settle_one_last", ONE_STOPPED, "where false) is null", "a stopped run succeeds"),
        pg(
            "settle_one_last",
            "where followed > :followed.by_nothing",
            "where false",
            "an end is not marked"),
        pg("settle_drain", TOKEN, "true", "an old token drains"),
        pg("settle_drain", OWNER, SOME_OWNER, "a stranger drains"),
        pg("settle_arrive", "a.remaining + excluded", "excluded", "arrivals are forgotten"),
        pg(
            "task_live",
            "and state <> :state.halting",
            "",
            "what has failed takes room in a window"),
        pg(
            "task_live",
            "run_id = :run and",
            ":run::uuid is not null and",
            "other runs take room in a window"),
        pg("task_live", "least(:limit,", "least(:limit + 100,", "more are counted than asked for"),
        pg(
            "task_last_element",
            "run_id = :run and",
            ":run::uuid is not null and",
            "an expand goes on where another run's is"),
        pg(
            "task_last_element",
            "between :from and :to",
            "between :from and :to + 100",
            "an expand goes on behind the elements of another place"),
        pg("task_last_element", "order by idx desc", "order by idx", "elements come twice"),
        pg("task_recorded", "and r.token = k.token", "", "another try's result counts as ours"),
        pg("task_recorded", "and a.token = k.token", "", "another try's failure counts as ours"),
        pg("task_recorded", "and t.token = k.token", "", "another turn counts as ours"),
        pg(
            "settle_trim_turns",
            "<= (x.run, x.node, x.idx, x.last)",
            "<= (x.run, x.node, x.idx, x.last + 1)",
            "a turn that is to stay goes"),
        pg(
            "settle_trim_attempts",
            "t.turn = x.last",
            "t.turn = x.last + 1",
            "failures go too soon"),
        pg("task_promote", "and due_at <= clock_timestamp()", "", "a task starts before its time"),
        pg(
            "process_expired",
            "p.lease_expires_at < clock_timestamp()",
            "true",
            "the living are reaped"),
        pg("process_expired", "h.expected_by >= clock_timestamp()", "true", "reaped in an outage"),
        pg(
            "process_expired",
            "h.steady_since + p.lease_us * interval '1 microsecond' <= clock_timestamp()",
            "true",
            "reaped right after an outage"),
        pg("process_expired", "and p.id <> :by", "and :by::uuid is not null", "reaps itself"),
        pg(
            "process_renew",
            "h.expected_by < excluded.steady_since",
            "false",
            "an outage is not noticed"),
        pg("process_expired", "for update of p skip locked", "", "two reapers recover one process"),
        pg("process_orphaned", "and not exists", "and exists", "tasks of nobody are not found"),
        pg(
            "process_crash",
            "where t.owner = :id and t.state",
            "where :id::uuid is not null and t.state",
            "all tasks are freed"),
        pg("process_crash", "else :counted end", "else 0 end", "a crash is not counted"),
        pg(
            "process_crash",
            "t.max_suspects > 1 then 0",
            "false then 0",
            "one of a group is charged"),
        pg(
            "process_crash",
            "t.max_suspects / (1 + :counted)",
            "t.max_suspects",
            "a group never gets smaller"),
        pg("task_claim_suspects", "rank <= max_suspects", "true", "a suspect is with too many"),
        pg("task_claim_suspects", "count(*) as", "null as", "of how many it was is forgotten"),
        pg(
            "process_release",
            "where t.owner = :id and t.state",
            "where :id::uuid is not null and t.state",
            "all tasks are given back"),
        pg(
            "process_renew",
            "where id = :id",
            "where :id::uuid is not null",
            "the reaped believe to be alive"),
        pg("task_claim", "where id = :owner", "", "the reaped claim"),
        pg("task_claim_suspects", "where id = :owner", "", "the reaped claim suspects"),
        pg("run_start", LIVE_OWNERS, ANY_OWNERS, REAPED_STARTS),
        pg("run_start_unkeyed", LIVE_OWNERS, ANY_OWNERS, REAPED_STARTS),
        pg("run_start_one", LIVE_OWNER, ANY_OWNER, REAPED_STARTS),
        pg("run_start_one_keyed", LIVE_OWNER, ANY_OWNER, REAPED_STARTS),
        pg("run_start", "and d.hash = :hash", HASHED, OTHER_LANE),
        pg("run_start_one", "and d.hash = :hash", HASHED, OTHER_LANE),
        pg("run_start_one_keyed", "and d.hash = :hash", HASHED, OTHER_LANE),
        pg("run_start_unkeyed", "and d.hash = :hash", HASHED, OTHER_LANE),
        pg("run_start", SERVED, "", PARKING_LANE),
        pg("run_start_one", SERVED, "", PARKING_LANE),
        pg("run_start_one_keyed", SERVED, "", PARKING_LANE),
        pg("run_start_unkeyed", SERVED, "", PARKING_LANE),
        pg("run_start", "on conflict do nothing", "", "a start with a key that is taken fails"),
        pg("run_start_one_keyed", "on conflict do nothing", "", "a second start with a key fails"),
        pg("run_clear", "r.status " + IS_STOPPING, "true", "ready tasks of a running run are lost"),
        pg(
            "run_clear",
            "state in (:state.ready, :state.scheduled, :state.suspect)",
            "state in (:state.ready, :state.leased, :state.scheduled, :state.suspect)",
            "what is running is cut off"),
        pg("run_unmark", "t.state <> :state.halting", "false", "a run ends while steps run"),
        pg(
            "run_uncancel",
            "t.state <> :state.halting",
            "false",
            "a canceled run ends while steps run"),
        pg("run_cut_off", "c.cut_off_at <= clock_timestamp()", "true", "bodies get no grace"),
        pg("run_cut_off", "run_id = :run and", ":run::uuid is not null and", "all are cut off"),
        pg(
            "run_cancel",
            "status = 'halting'",
            "status in ('halting', 'canceling')",
            "a second cancel is a first"),
        pg(
            "run_cancel",
            "status = 'halting'",
            "status in ('halting', 'finishing')",
            "a run that a step has ended is canceled"),
        pg("run_expire", "and status " + GOES_ON, "", "a run that has ended is stopped"),
        pg(
            "run_overdue",
            "where due_at <= clock_timestamp()",
            "",
            "a run is stopped before its time"),
        pg(
            "settle_context",
            "where c.value = excluded.value or excluded.replaces",
            "",
            "a key that is set gets another value"),
        pg("substep_write", "t.token = w.token", "true", "an old token writes a sub-step"),
        pg("substep_write", OWNER, SOME_OWNER, "a stranger writes a sub-step"),
        pg(
            "substep_write",
            "s.token = excluded.token and",
            "",
            "what another try wrote counts as written"),
        pg(
            "substep_write",
            "and s.value = excluded.value",
            "",
            "another value under the same key counts as written"),
        pg("checkpoint_write", "t.token = w.token", "true", "an old token writes a checkpoint"),
        pg("checkpoint_write", OWNER, SOME_OWNER, "a stranger writes a checkpoint"),
        pg("progress_write", "where p.token <= excluded.token", "", "an old report replaces a new"),
        pg("task_waited", "and outcome = 'snoozed'", "", "a failure passes for a wait"),
        pg(
            "run_cut_off_by",
            "where not exists",
            "where exists",
            "a passed deadline interrupts nobody"),
        pg("run_cancel", "status " + GOES_ON, "true", "an ended run is canceled"),
        pg(
            "settle",
            "where followed > :followed.by_nothing",
            "where false",
            "an end is not marked"),
        pg(
            "settle_end",
            "r.followed > :followed.by_nothing as",
            "false as",
            "an end is not marked"),
        pg(
            "run_halted",
            "r.followed > :followed.by_nothing as",
            "false as",
            "a halt is not marked"),
        pg("chained_arrive", "remaining - 1", "0", "the first of several begins it"),
        pg("chain_resolve", "and not resolved", "", "an end counts twice"),
        pg("revive_still", ") = :times", ") >= :times", "what was true of an earlier end revives"),
        pg("resume_tasks", "+ :token.revived *", "+ 0 *", "a token comes again"),
        pg("settle_drain", ", 'paused'", "", "a step of a paused run leads nowhere"),
        pg("task_claim", "s.run_id = c.run_id", "false", "a step of a paused run begins"),
        pg(
            "task_claim_suspects",
            "s.run_id = t.run_id",
            "false",
            "a suspect of a paused run begins"),
        pg("settle_halt", "select id from halting", "select id from halting where false", NO_LIST),
        pg(
            "run_halted",
            "s.run_id = halted.run_id",
            "false",
            "a run that has ended is on the list"),
        pg(
            "chain_skip",
            "s.run_id = skipped.run_id",
            "false",
            "one that was skipped is on the list"),
        pg("pause_run", "and status in ('running', 'waiting')", "", "an ended run is paused"),
        pg(
            "pause_run",
            "('running', 'waiting')",
            "('running', 'waiting', 'paused')",
            "a second pause is a first"),
        pg("pause_run", ", 'waiting'", "", "a run that waits cannot be paused"),
        pg(
            "pause_resume_run",
            "then 'waiting'",
            "then 'running'",
            "a resumed run does not say that it waits"),
        pg("chain_begin", "and status = 'waiting'", "", "a paused run begins with its upstreams"),
        pg("chain_begin", "and status = 'waiting'", "and false", "a run that began waits on"),
        pg("chain_wait", "where id = :run", "where id = :run and false", "nobody sees it wait"),
        pg("settle_halt", "when 'finished' then", "when '' then", "a run that finishes halts"),
        pg("run_halted", "= 'canceled' then", "= '' then", "a canceled run is halted"),
        pg("pause_resume_run", "and status = 'paused'", "", "a run that was stopped is resumed"),
        pg(
            "pause_park",
            "state in (:state.ready, :state.scheduled, :state.suspect)",
            "state in (:state.ready, :state.suspect)",
            "what comes due is taken"),
        pg("pause_unmark", "and not exists", "and exists", "what is held is not given back"),
        pg("pause_unmark", "r.finished_at is not null", "false", "an ended run is on the list"),
        pg("resume_run", "r.finished_at is not null", "false", "a revived run is on the list"),
        pg("settle_create", "then era + 1", "then 1", "a token comes again"),
        pg("settle_tolerate", "on conflict do nothing", "", "a second failure cannot be tolerated"),
        pg("settle_close", "when f.reason is null", "when true", "a run with failures succeeds"),
        pg("settle_close", "= 'failed' then", "= '' then", "a failed run is halted"),
        pg(
            "settle_close",
            "r.followed > :followed.by_nothing as",
            "false as",
            "a failed run's end is not marked"),
        pg("task_endings", "and r.attempt > 0", "", "what is lost passes for failed"),
        pg("task_endings", "and r.attempt = 0", "", "what has failed passes for lost"),
        pg("run_ended", FAILED_TOO, "", "a failed run is waited for"),
        pg("revive_still", FAILED_TOO, "", NOT_REVIVED),
        pg("resume_run", FAILED_TOO, "", NOT_REVIVED),
        pg("resume_forget_tolerated", "where", "where false and", "a mended run has failed"));
  }

  private static List<GuardMutant> sqlite() {
    return List.of(
        lite("task_claim", "where id = :owner", "", "the reaped claim"),
        lite("task_claim_suspects", "where id = :owner", "", "the reaped claim suspects"),
        lite(
            "run_start_tasks",
            "(select p.id from standpipe.process p where p.id = value ->> 7) as owner",
            "value ->> 7 as owner",
            REAPED_STARTS),
        lite("run_start", "and d.hash = :hash", "and :hash is not null", OTHER_LANE),
        lite("run_start", SERVED, "", PARKING_LANE),
        lite(
            "settle_end", "followed > :followed.by_nothing as", "false as", "an end is not marked"),
        lite(
            "run_halted", "followed > :followed.by_nothing as", "false as", "a halt is not marked"),
        lite("chained_arrive", "remaining - 1", "0", "the first of several begins it"),
        lite("chain_resolve", "and not resolved", "", "an end counts twice"),
        lite("task_claim", "token = token + 1", "token = token", "a new try has the old token"),
        lite("settle_guard", "and t.token = i.value ->> 3", "", "an old token settles"),
        lite(
            "settle_guard",
            "t.owner = :owner",
            "coalesce(:owner, 1) is not null",
            "a stranger settles"),
        lite("settle_guard", "r.status " + GOES_ON, "true", "a halting run goes on"),
        lite("settle_guard", "r.status = 'paused'", "false", "steps of a paused run go on"),
        lite(
            "settle_hand_over",
            "token = t.token + 1",
            "token = t.token",
            "one token covers two steps"),
        lite("settle_hand_over", "crashes = 0", "crashes = crashes", "a follower inherits crashes"),
        lite(
            "settle_move",
            "else t.token + 1 end",
            "else t.token end",
            "one token covers two steps"),
        lite("settle_arrive", "a.remaining + excluded", "excluded", "arrivals are forgotten"),
        lite("settle_go_on", "token = token + 1", "token = token", "a chunk goes in twice"),
        lite("settle_go_on", "crashes = 0", "crashes = crashes", "a chunk is no progress"),
        lite(
            "task_live",
            "and state <> :state.halting",
            "",
            "what has failed takes room in a window"),
        lite(
            "task_live",
            "run_id = :run and",
            ":run is not null and",
            "other runs take room in a window"),
        lite("task_live", "limit :limit", "limit :limit + 100", "more are counted than asked for"),
        lite(
            "task_last_element",
            "run_id = :run and",
            ":run is not null and",
            "an expand goes on where another run's is"),
        lite(
            "task_last_element",
            "between :from and :to",
            "between :from and :to + 100",
            "an expand goes on behind the elements of another place"),
        lite("task_last_element", "order by idx desc", "order by idx", "elements come twice"),
        lite("task_recorded", "and r.token = k.token", "", "another try's result counts as ours"),
        lite("task_recorded", "and a.token = k.token", "", "another try's failure counts as ours"),
        lite("task_recorded", "and t.token = k.token", "", "another turn counts as ours"),
        lite(
            "settle_trim_turns",
            "and x.value ->> 4",
            "and (x.value ->> 4) + 1",
            "a turn that is to stay goes"),
        lite(
            "settle_trim_attempts",
            "t.turn = x.value ->> 4",
            "t.turn = (x.value ->> 4) + 1",
            "failures go too soon"),
        lite(
            "task_promote",
            "and due_at <= cast(unixepoch('subsec') * 1000000 as integer)",
            "",
            "a task starts before its time"),
        lite(
            "process_expired",
            "p.lease_expires_at < cast(unixepoch('subsec') * 1000000 as integer)",
            "true",
            "the living are reaped"),
        lite(
            "process_expired",
            "h.expected_by >= cast(unixepoch('subsec') * 1000000 as integer)",
            "true",
            "reaped in an outage"),
        lite(
            "process_expired",
            "h.steady_since + p.lease_us <= cast(unixepoch('subsec') * 1000000 as integer)",
            "true",
            "reaped right after an outage"),
        lite("process_expired", "and p.id <> :by", "and :by is not null", "reaps itself"),
        lite(
            "process_heard_of",
            "h.expected_by < excluded.steady_since",
            "false",
            "an outage is not noticed"),
        lite("process_orphaned", "and not exists", "and exists", "tasks of nobody are not found"),
        lite(
            "process_crash",
            "where t.owner = :id and t.state",
            "where :id is not null and t.state",
            "all tasks are freed"),
        lite("process_crash", "else :counted end", "else 0 end", "a crash is not counted"),
        lite(
            "process_crash",
            "t.max_suspects > 1 then 0",
            "false then 0",
            "one of a group is charged"),
        lite(
            "process_crash",
            "t.max_suspects / (1 + :counted)",
            "t.max_suspects",
            "a group never gets smaller"),
        lite("task_claim_suspects", "rank <= max_suspects", "true", "a suspect is with too many"),
        lite("task_claim_suspects", "= c.together", "= null", "of how many it was is forgotten"),
        lite(
            "process_crash_attempts",
            "where owner = :id and state",
            "where :id is not null and state",
            "others' tries count as crashed"),
        lite(
            "process_release",
            "where t.owner = :id and t.state",
            "where :id is not null and t.state",
            "all tasks are given back"),
        lite(
            "process_renew",
            "where id = :id",
            "where :id is not null",
            "the reaped believe to be alive"),
        lite(
            "run_start",
            "on conflict do nothing",
            "on conflict (id) do nothing",
            "a second start with a key fails"),
        lite(
            "run_clear",
            "r.status " + IS_STOPPING,
            "true",
            "ready tasks of a running run are lost"),
        lite(
            "run_clear",
            "state in (:state.ready, :state.scheduled, :state.suspect)",
            "state in (:state.ready, :state.leased, :state.scheduled, :state.suspect)",
            "what is running is cut off"),
        lite("run_unmark", "t.state <> :state.halting", "false", "a run ends while steps run"),
        lite(
            "run_uncancel",
            "t.state <> :state.halting",
            "false",
            "a canceled run ends while steps run"),
        lite(
            "run_cut_off",
            "c.cut_off_at <= cast(unixepoch('subsec') * 1000000 as integer)",
            "true",
            "bodies get no grace"),
        lite("run_cut_off", "run_id = :run and", ":run is not null and", "all are cut off"),
        lite(
            "run_cancel",
            "status = 'halting'",
            "status in ('halting', 'canceling')",
            "a second cancel is a first"),
        lite(
            "run_cancel",
            "status = 'halting'",
            "status in ('halting', 'finishing')",
            "a run that a step has ended is canceled"),
        lite("run_expire", "and status " + GOES_ON, "", "a run that has ended is stopped"),
        lite(
            "run_overdue",
            "where due_at <= cast(unixepoch('subsec') * 1000000 as integer)",
            "",
            "a run is stopped before its time"),
        lite(
            "settle_context",
            "where c.value = excluded.value or excluded.replaces",
            "",
            "a key that is set gets another value"),
        lite("substep_write", "and t.token = w.value ->> 2", "", "an old token writes a sub-step"),
        lite(
            "substep_write",
            "where t.owner = :owner and",
            "where :owner is not null and",
            "a stranger writes a sub-step"),
        lite(
            "substep_write",
            "s.token = excluded.token and",
            "",
            "what another try wrote counts as written"),
        lite(
            "substep_write",
            "and s.value = excluded.value",
            "",
            "another value under the same key counts as written"),
        lite(
            "checkpoint_write",
            "and t.token = w.value ->> 2",
            "",
            "an old token writes a checkpoint"),
        lite(
            "checkpoint_write",
            "where t.owner = :owner and",
            "where :owner is not null and",
            "a stranger writes a checkpoint"),
        lite(
            "progress_write",
            "where p.token <= excluded.token",
            "",
            "an old report replaces a new"),
        lite("task_waited", "and outcome = 'snoozed'", "", "a failure passes for a wait"),
        lite(
            "run_cut_off_by",
            "where not exists",
            "where exists",
            "a passed deadline interrupts nobody"),
        lite("run_cancel", "status " + GOES_ON, "true", "an ended run is canceled"),
        lite(
            "revive_still", ") = :times", ") >= :times", "what was true of an earlier end revives"),
        lite("resume_tasks", "+ :token.revived *", "+ 0 *", "a token comes again"),
        lite("task_claim", "r.status = 'running'", "true", "a step of a paused run begins"),
        lite("task_claim_suspects", "r.status = 'running'", "true", "a suspect of one begins"),
        lite("pause_run", "and status in ('running', 'waiting')", "", "an ended run is paused"),
        lite(
            "pause_run",
            "('running', 'waiting')",
            "('running', 'waiting', 'paused')",
            "a second pause is a first"),
        lite("pause_run", ", 'waiting'", "", "a run that waits cannot be paused"),
        lite(
            "pause_resume_run",
            "then 'waiting'",
            "then 'running'",
            "a resumed run does not say that it waits"),
        lite("chain_begin", "and status = 'waiting'", "", "a paused run begins with its upstreams"),
        lite("chain_begin", "and status = 'waiting'", "and false", "a run that began waits on"),
        lite("chain_wait", "where id = :run", "where id = :run and false", "nobody sees it wait"),
        lite("settle_halt", "when 'finished' then", "when '' then", "a run that finishes halts"),
        lite("run_halted", "= 'canceled' then", "= '' then", "a canceled run is halted"),
        lite("pause_resume_run", "and status = 'paused'", "", "a run that was stopped is resumed"),
        lite(
            "pause_resume_run",
            "status = 'paused'",
            "status in ('paused', 'running')",
            "a second resume is a first"),
        lite(
            "pause_park",
            "state in (:state.ready, :state.scheduled, :state.suspect)",
            "state in (:state.ready, :state.suspect)",
            "what comes due is taken"),
        lite("pause_unmark", "and not exists", "and exists", "what is held is not given back"),
        lite("settle_create", "era + (idx", "0 + (idx", "a token comes again"),
        lite(
            "settle_tolerate",
            "on conflict do nothing",
            "",
            "a second failure cannot be tolerated"),
        lite("settle_close", "when f.reason is null", "when true", "a run with failures succeeds"),
        lite("settle_close", "= 'failed' then", "= '' then", "a failed run is halted"),
        lite(
            "settle_close",
            "followed > :followed.by_nothing as",
            "false as",
            "a failed run's end is not marked"),
        lite("task_endings", "and r.attempt > 0", "", "what is lost passes for failed"),
        lite("task_endings", "and r.attempt = 0", "", "what has failed passes for lost"),
        lite("run_ended", FAILED_TOO, "", "a failed run is waited for"),
        lite("revive_still", FAILED_TOO, "", NOT_REVIVED),
        lite("resume_run", FAILED_TOO, "", NOT_REVIVED),
        lite("resume_forget_tolerated", "where", "where false and", "a mended run has failed"));
  }

  /** Those that nothing can notice, because something else says the same. */
  static List<GuardMutant> survivors() {
    String check = "a CHECK ties the owner to the state: what is not leased has no owner to match";
    String writer =
        "the only writer: what settle_guard has found holds to the end of its transaction";
    String ended = "the task that ends its run was removed for a running run only";
    GuardMutant state = pg("settle", STATE, "true", check);
    GuardMutant paused =
        pg(
            "settle",
            ") = 'paused'",
            ") in ('paused', 'running')",
            "what was parked of a run that was resumed is taken back at the end");
    GuardMutant halting =
        pg(
            "settle",
            ") = 'paused'",
            ") <> 'running'",
            "settle_held has found that the run goes on");
    GuardMutant locked =
        pg(
            "task_claim",
            "t.state + 0 = :state.ready",
            "true",
            "candidates are read under lock, state and all");
    return List.of(
        state,
        state.second(),
        pg("settle_one_on", STATE, "true", check),
        pg("settle_one_last", STATE, "true", check),
        pg("settle_one_last", "and r.status " + GOES_ON, "", ended),
        paused,
        paused.second(),
        halting,
        halting.second(),
        pg("settle_drain", STATE, "true", check),
        pg(
            "pause_resume_run",
            "status = 'paused'",
            "status in ('paused', 'running')",
            "what is not on the list of the stopped is not taken off"),
        pg("process_crash", "and t.state = :state.leased", "", check),
        pg("process_release", "and t.state = :state.leased", "", check),
        locked,
        locked.second(),
        pg(
            "task_claim",
            "and first_index is null",
            "",
            "a claim ends before the first bundle, and a check refuses one that is let go just then"),
        pg(
            "task_promote",
            "and t.state + 0 = :state.scheduled",
            "",
            "candidates are read under lock, state and all"),
        pg(
            "settle_end",
            "r.status " + GOES_ON,
            "true",
            "settle asks for a running run before anything arrives"),
        pg(
            "settle_close",
            "and r.status " + GOES_ON,
            "",
            "settle asks for a running run before anything arrives"),
        pg("settle", "and r.status " + GOES_ON, "", ended),
        pg(
            "run_halted",
            "and r.status " + IS_STOPPING,
            "",
            "only a halting run has markers to remove first"),
        lite("settle_guard", "and t.state = :state.leased", "", check),
        lite("process_crash", "and t.state = :state.leased", "", check),
        lite("process_release", "and t.state = :state.leased", "", check),
        lite("settle_hand_over", "and " + TOKEN, "", writer),
        lite("settle_move", "and " + TOKEN, "", writer),
        lite("task_claim", "where state = :state.ready\n  and", "where", writer),
        lite("task_promote", "and task.state = :state.scheduled", "", writer),
        lite("settle_end", "status " + GOES_ON, "true", writer),
        lite("settle_close", "and r.status " + GOES_ON, "", writer),
        lite(
            "run_halted",
            "and r.status " + IS_STOPPING,
            "",
            "only a halting run has markers to remove first"));
  }

  private static GuardMutant pg(
      String statement, String fragment, String replacement, String breaks) {
    return GuardMutant.of(POSTGRES, statement, fragment, replacement, breaks);
  }

  private static GuardMutant lite(
      String statement, String fragment, String replacement, String breaks) {
    return GuardMutant.of(SQLITE, statement, fragment, replacement, breaks);
  }
}
