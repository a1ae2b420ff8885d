-- The tables of Standpipe on PostgreSQL, all of them; views.sql has the views. docs/design.md says how they work together.
--
-- Times are the database's own, durations whole microseconds (..._us). A step is named by its run, its node in the pipeline's graph and its
-- index (idx): 0, or the number of its element inside an expand. Every claim of a task raises its token, and a write is accepted
-- only with the newest one. Names of nodes sort by bytes (collate "C"), so that all processes lock in one order.
-- The comment right before a table, a view or a column is its comment in the database as well.

-- The graph of a pipeline as some program has defined it. Never changes but for served_at.
create table standpipe.definition (
  -- What lanes refer to.
  id        integer generated always as identity primary key,
  -- The fingerprint of the graph: programs with the same graph share the definition.
  hash      text not null unique,
  -- The name of the pipeline.
  pipeline  text not null,
  -- The nodes and what each depends on, as JSON.
  graph     text not null,
  -- When a process has last registered it: the newest of a pipeline is what new runs get.
  served_at timestamptz not null default clock_timestamp()
);

create index standpipe_definition_pipeline on standpipe.definition (pipeline, served_at);

-- A queue of tasks of one definition. Each definition has a lane that processes serve, and for that lane another one, which nobody
-- serves: the tasks of paused runs are parked there. See docs/decisions/012.
create table standpipe.lane (
  -- What runs, tasks and processes refer to.
  id            integer generated always as identity primary key,
  -- The definition.
  definition_id integer not null references standpipe.definition (id),
  -- The name of the queue; empty in a lane that nobody serves.
  queue         text,
  -- The lane whose tasks are parked here; empty in a lane that processes serve.
  parks_for     integer unique references standpipe.lane (id),
  unique (definition_id, queue),
  check ((queue is null) = (parks_for is not null))
);

-- A JVM that serves pipelines. Its lease covers every task it owns.
create table standpipe.process (
  -- New for every start of a process, and never used again.
  id               uuid primary key,
  -- What people call it.
  name             text not null,
  -- The machine it runs on.
  host             text not null,
  -- Its number in the operating system.
  pid              bigint not null,
  -- When it joined.
  started_at       timestamptz not null default clock_timestamp(),
  -- When it counts as dead unless it renews its lease before.
  lease_expires_at timestamptz not null,
  -- How many processes a step may take down with it before it is quarantined, unless crash_limit says otherwise for the step.
  crash_limit      integer not null default 10 check (crash_limit >= 3),
  -- How long its lease lasts from a renewal on.
  lease_us         bigint not null default 15000000
);

-- One row: whether processes are heard of at all. While nobody is, the database cannot tell a dead process from one that cannot
-- reach it. See docs/decisions/024.
create table standpipe.heartbeat (
  -- Always 1.
  id           smallint primary key check (id = 1),
  -- Since when processes have been heard of without a gap.
  steady_since timestamptz not null,
  -- When the next renewal of any process is expected at the latest.
  expected_by  timestamptz not null
);

-- Which lanes a process serves.
create table standpipe.serving (
  -- The process.
  process_id uuid not null,
  -- The lane.
  lane       integer not null,
  primary key (process_id, lane)
);

-- Steps whose crash limit differs from that of the process that serves them.
create table standpipe.crash_limit (
  -- The process that says so.
  process_id  uuid not null,
  -- The lane.
  lane        integer not null,
  -- The step's node.
  node        text collate "C" not null,
  -- How many processes the step may take down with it before it is quarantined.
  max_crashes integer not null check (max_crashes >= 3),
  primary key (process_id, lane, node)
);

-- One execution of a pipeline. It changes when it ends, often together with its neighbours: the fill factor leaves room for that on its
-- page, or every index would get a new entry as well.
create table standpipe.run (
  -- Sorts by the time of the start.
  id          uuid primary key,
  -- The name of its pipeline.
  pipeline    text not null,
  -- The lane it was started in, which tells its definition.
  lane        integer not null,
  -- What people see, in the words of RunStatus. The statement that changes what it says writes it. The constraint that holds it is
  -- short on purpose: PostgreSQL reads it from the catalogue for every statement. See docs/decisions/029.
  status      text not null default 'running',
  -- Of its tasks: the higher come first.
  priority    smallint not null,
  -- What its starter calls it: one run of a pipeline has it.
  key         text,
  -- The fingerprint of the input that a run with a key was started with: another start with this key must have the same.
  key_hash    text,
  -- A JSON object of texts, to find it by.
  labels      text not null,
  -- Why it was stopped: retries_exhausted, canceled, deadline, quarantined, skipped, failed, finished (by a step, early; it succeeds) ...
  halt_reason text,
  -- The node that stopped it, if one did.
  halt_node   text,
  -- When it was started.
  created_at  timestamptz not null default clock_timestamp(),
  -- When it ended; empty until then.
  finished_at timestamptz,
  -- What follows its end. :followed.by_nothing: nothing. :followed.by_something: callbacks, or runs that wait for it. :followed.to_compensate: if it
  -- is halted or canceled, it is compensated as well.
  followed    smallint not null default 0 check (followed between :followed.by_nothing and :followed.to_compensate),
  -- Its status if that is a rare one, to find such runs by. An index on status itself would get an entry at the end of every run.
  rare_status text generated always as (nullif(nullif(status, 'succeeded'), 'running')) stored,
  -- The bundle that its first task was started in, if it was in one: the run_id of a task. See docs/decisions/020.
  bundle      uuid,
  check (case when status = 'succeeded' then finished_at is not null and halt_reason is null
              when halt_reason is null then finished_at is null
              else status <> 'running' end),
  check ((key is null) = (key_hash is null))
) with (fillfactor = 48);

create unique index standpipe_run_key on standpipe.run (pipeline, key) where key is not null;
create index standpipe_run_rare on standpipe.run (rare_status, id) where rare_status is not null;

create sequence standpipe.task_seq cache 1;

-- A step that is to be done or being done. Narrow and short-lived: a chain of steps hands its row on from one to the next. A bundle is one row for
-- many that wait: the elements of an expand, or the first tasks of runs that were started together. A part is what somebody has taken
-- out of a bundle of runs. See docs/decisions/019 and 020.
create table standpipe.task (
  -- The run; for a bundle or a part of several runs a name that these know it by (run.bundle).
  run_id       uuid not null,
  -- Numbers the rows of a run: that of the step the row was made for.
  id           bigint not null,
  -- Orders the ready tasks of one lane and priority.
  seq          bigint not null default nextval('standpipe.task_seq'),
  -- Raised by every claim and every hand-over: a write with an older one is refused.
  token        bigint not null,
  -- When a scheduled task becomes ready.
  due_at       timestamptz,
  -- The lane of the run, or while the run is paused the lane that parks for it.
  lane         integer not null,
  -- The element, or 0; of a bundle of elements the last of them.
  idx          integer not null,
  -- Which try of the step is the next or under way, from 1 on. Only failures count.
  attempt      integer not null,
  -- How many processes have died while they held the step.
  crashes      integer not null,
  -- That of the run.
  priority     smallint not null,
  -- :state.ready ready, :state.leased leased, :state.scheduled scheduled, :state.suspect ready but a suspect (two crashes or more), :state.halting the marker of a run
  -- that is halting.
  state        smallint not null,
  -- The process that holds it, while it is leased.
  owner        uuid,
  -- The step's node.
  node         text collate "C" not null,
  -- Of a bundle: the first that is still in it, an element or a place among its runs, from 0 on. 0 in a part.
  first_index  integer,
  -- The runs in a bundle or a part of several runs.
  runs         uuid[],
  -- Of a part: a bit for each of its runs, set for those that have left it.
  done         bit varying,
  -- Of a suspect: how many suspects a process may hold if this is one of them; empty is :suspects.most. See docs/decisions/023.
  max_suspects integer check (max_suspects >= 1),
  primary key (run_id, id),
  constraint standpipe_task_state_check check (state in (:state.ready, :state.leased, :state.scheduled, :state.halting) or (state = :state.suspect and crashes >= 2)),
  check ((state = :state.leased) = (owner is not null)),
  check ((state = :state.scheduled) = (due_at is not null)),
  check (token >= 0 and attempt >= 1 and crashes >= 0),
  constraint standpipe_task_bundle_check
  check (case when first_index is null then runs is null and done is null
              when runs is null then state = :state.ready and first_index < idx and done is null
              else first_index < cardinality(runs) and state = case when done is null then :state.ready else :state.leased end end)
) with (
  fillfactor = 60,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.2
);

-- To compress ids takes longer than to write them.
alter table standpipe.task alter column runs set storage external;

-- None of these holds a column that changes while a row stays leased: hand-overs are HOT updates.
create index standpipe_task_ready on standpipe.task (lane, (-priority), seq) where state = :state.ready;
create index standpipe_task_bundle on standpipe.task (lane, (-priority), seq) where state = :state.ready and first_index is not null;
create index standpipe_task_owner on standpipe.task (owner) where state = :state.leased;
create index standpipe_task_due on standpipe.task (due_at) where state = :state.scheduled;
create index standpipe_task_suspect on standpipe.task ((coalesce(max_suspects, :suspects.most)) desc, crashes, seq) where state = :state.suspect;
create index standpipe_task_halting on standpipe.task (run_id) where state = :state.halting;

-- How a step ended, written once. The input of a run is the result of node $input. An element of an expand is a result of the
-- expand's node; the expand's own result then has the index -1, which also stands for all elements of one that was skipped.
create table standpipe.result (
  -- The run.
  run_id      uuid not null,
  -- That of the try that ended it.
  token       bigint not null,
  -- How long that try took.
  elapsed_us  bigint not null,
  -- When it ended.
  finished_at timestamptz not null default clock_timestamp(),
  -- The element, or 0; -1 - idx for the own result of an expand that has elements there.
  idx         integer not null,
  -- The number of that try; 0 if there was none: an input, what a fork has taken over, what failed because of a step before it.
  attempt     integer not null,
  -- :outcome.succeeded succeeded, :outcome.failed failed, :outcome.element an element of an expand, :outcome.skipped skipped.
  outcome     smallint not null check (outcome in (:outcome.succeeded, :outcome.failed, :outcome.element, :outcome.skipped)),
  -- The process that did it, if one did.
  process_id  uuid,
  -- The step's node.
  node        text collate "C" not null,
  -- What the step returned, as its codec wrote it; empty if it failed or was skipped.
  value       text,
  primary key (run_id, node, idx),
  check ((outcome in (:outcome.failed, :outcome.skipped)) = (value is null))
);

-- How many steps a fan-in, or the end of a run, still waits for.
create table standpipe.arrival (
  -- The run.
  run_id    uuid not null,
  -- How many it waits for in all.
  need      integer not null,
  -- How many of them have not arrived yet. The settlement that brings this to 0 creates what waits.
  remaining integer not null check (remaining >= 0),
  -- The node that waits, with #idx inside an expand; $end or $close for the end of the run.
  node      text collate "C" not null,
  primary key (run_id, node)
) with (fillfactor = 70);

-- Tries that did not succeed.
create table standpipe.attempt (
  -- The run.
  run_id      uuid not null,
  -- Tells the tries of a step apart.
  token       bigint not null,
  -- How long it took; 0 if nobody knows.
  elapsed_us  bigint not null,
  -- When it ended.
  finished_at timestamptz not null default clock_timestamp(),
  -- The element, or 0.
  idx         integer not null,
  -- The number of the try: a crash, a cancel and a snooze share it with the try that follows.
  attempt     integer not null,
  -- The process that ran it.
  process_id  uuid not null,
  -- The step's node.
  node        text collate "C" not null,
  -- failed, timed_out, crashed (its process died), canceled (cut off) or snoozed (asked to be run again later).
  outcome     text not null check (outcome in ('failed', 'timed_out', 'crashed', 'canceled', 'snoozed')),
  -- The exception's class.
  error_type  text,
  -- The exception's message.
  error       text,
  -- The exception's stack trace.
  trace       text,
  primary key (run_id, node, idx, token)
);

-- Turns of loops that another turn follows; the last turn of a loop is its result. Only the newest stay.
create table standpipe.turn (
  -- The run.
  run_id      uuid not null,
  -- That of the try that ended it: the next turn has a higher one.
  token       bigint not null,
  -- How long that try took.
  elapsed_us  bigint not null,
  -- When it ended.
  finished_at timestamptz not null default clock_timestamp(),
  -- The element, or 0.
  idx         integer not null,
  -- Its number, from 1 on.
  turn        integer not null,
  -- The number of that try.
  attempt     integer not null,
  -- The loop.
  node        text collate "C" not null,
  -- The state that it hands on to the next turn, as the codec wrote it.
  value       text not null,
  primary key (run_id, node, idx, turn),
  check (turn >= 1 and attempt >= 1 and token >= 1)
) with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_cost_delay = 0
);

-- Awaits: steps that wait for a signal, or were signaled before they did. The first to get the row decides: the signal or the expiry.
-- See docs/decisions/013.
create table standpipe.signal (
  -- The run.
  run_id      uuid not null,
  -- The task that waits, scheduled for when it expires; empty if none does yet.
  task_id     bigint,
  -- When the signal came.
  signaled_at timestamptz,
  -- The element, or 0.
  idx         integer not null,
  -- Whether it was too late for a signal.
  expired     boolean not null default false,
  -- The node that awaits.
  node        text collate "C" not null,
  -- The sender's id of the signal: the same again is no second signal.
  dedupe      text,
  -- What the signal carried, as the codec wrote it.
  value       text,
  primary key (run_id, node, idx),
  check (not expired or value is null),
  check ((value is null) = (signaled_at is null)),
  check ((value is null) = (dedupe is null))
);

-- What the steps of a run share by name.
create table standpipe.context (
  -- The run.
  run_id     uuid not null,
  -- That of the try that wrote it.
  token      bigint not null,
  -- When.
  written_at timestamptz not null default clock_timestamp(),
  -- The element of the step that wrote it, or 0.
  idx        integer not null,
  -- Whether the last to write it asked to replace what is there.
  replaces   boolean not null,
  -- The node of the step that wrote it.
  node       text collate "C" not null,
  -- The name.
  key        text collate "C" not null,
  -- The value, as the codec wrote it.
  value      text not null,
  primary key (run_id, key)
);

-- Sub-steps: what calls inside of a body returned. Written while the step goes on, with the token that its task has; the next try gets
-- the value back and does not call again. See docs/decisions/032.
create table standpipe.substep (
  -- The run.
  run_id     uuid not null,
  -- That of the try that wrote it.
  token      bigint not null,
  -- When.
  written_at timestamptz not null default clock_timestamp(),
  -- The element of the step, or 0.
  idx        integer not null,
  -- The step's node.
  node       text collate "C" not null,
  -- The key of the call within the step.
  key        text collate "C" not null check (length(key) between 1 and 200),
  -- What the call returned, as the codec wrote it.
  value      text not null,
  primary key (run_id, node, idx, key)
);

-- How far steps have come that keep it: the last checkpoint of each, for its next try. It goes when the step succeeds.
create table standpipe.checkpoint (
  -- The run.
  run_id     uuid not null,
  -- That of the try that wrote it.
  token      bigint not null,
  -- When.
  written_at timestamptz not null default clock_timestamp(),
  -- The element of the step, or 0.
  idx        integer not null,
  -- The step's node.
  node       text collate "C" not null,
  -- The checkpoint, as the codec wrote it.
  value      text not null,
  primary key (run_id, node, idx)
);

-- What steps report of their work; the last report of each that a heartbeat has carried here.
create table standpipe.progress (
  -- The run.
  run_id      uuid not null,
  -- That of the try that reported it.
  token       bigint not null,
  -- When it was written here.
  reported_at timestamptz not null default clock_timestamp(),
  -- How much is done.
  done        bigint not null check (done >= 0),
  -- How much there is to do.
  total       bigint not null check (total >= 0),
  -- The element of the step, or 0.
  idx         integer not null,
  -- The step's node.
  node        text collate "C" not null,
  -- What the step says of it.
  note        text not null,
  primary key (run_id, node, idx)
);

-- Nodes of running runs whose failure does not stop the run; it ends as halted, though, with the reason of the first. See docs/decisions/011.
create table standpipe.tolerated (
  -- The run.
  run_id    uuid not null,
  -- When the first step of the node failed.
  failed_at timestamptz not null default clock_timestamp(),
  -- The node that failed.
  node      text collate "C" not null,
  -- The reason that the run ends with, unless something else halts it.
  reason    text not null,
  primary key (run_id, node)
);

-- The step for which a run was halted because it kept killing its process, until an operator releases or discards it. The first of a
-- run halts it, so there is never a second.
create table standpipe.quarantine (
  -- The run.
  run_id         uuid primary key,
  -- That of the task when it was taken out: tells this quarantine from a later one of the same step.
  token          bigint not null,
  -- When.
  quarantined_at timestamptz not null default clock_timestamp(),
  -- The element, or 0.
  idx            integer not null,
  -- Which try it was at.
  attempt        integer not null,
  -- How many processes have died of it.
  crashes        integer not null,
  -- The step's node.
  node           text collate "C" not null
);

-- What operators did, and why.
create table standpipe.audit (
  -- In order.
  id       bigint generated always as identity primary key,
  -- When.
  acted_at timestamptz not null default clock_timestamp(),
  -- Who.
  actor    text not null check (actor <> ''),
  -- What: cancel, revive, release, discard, pause, resume ...
  action   text not null,
  -- The run it was done to.
  run_id   uuid not null,
  -- The step it was done to, if it was one.
  node     text collate "C",
  -- The step's element, or 0.
  idx      integer,
  -- Why.
  reason   text not null check (reason <> '')
);

create index standpipe_audit_run on standpipe.audit (run_id);

-- Runs that do not go on for now: those that are halting, and those that are paused. They are few, so a settlement looks here
-- instead of at its run, and finds nothing at next to no cost. What changes a run so that it belongs here, or no longer does,
-- changes this with the same statement. See docs/decisions/018.
create table standpipe.stopped (
  -- The run.
  run_id uuid primary key
);

-- Runs that are stopped before all their bodies have ended: canceled, past their deadline, or finished early. The row goes when the run
-- has ended.
create table standpipe.canceling (
  -- The run.
  run_id     uuid primary key,
  -- When what still runs of it is cut off.
  cut_off_at timestamptz not null
);

-- Tries that were cut off while their process was there: it interrupts their bodies when it looks, and takes the row away.
create table standpipe.cut_off (
  -- The process that runs the body.
  process_id uuid not null,
  -- The run.
  run_id     uuid not null,
  -- The task it had.
  task_id    bigint not null,
  -- The token it had it with.
  token      bigint not null,
  primary key (process_id, run_id, task_id, token)
);

-- Steps of a stopped run that waited for a time, not for another try: they wait on for it if the run is brought back.
create table standpipe.put_off (
  -- The run.
  run_id uuid not null,
  -- When the step would have been due.
  due_at timestamptz not null,
  -- The element, or 0.
  idx    integer not null,
  -- The step's node.
  node   text collate "C" not null,
  primary key (run_id, node, idx)
);

-- When a run is halted if it has not ended by then. Runs without a deadline have no row; the row goes when its time has come.
create table standpipe.deadline (
  -- The run.
  run_id uuid primary key,
  -- Its deadline.
  due_at timestamptz not null
);

create index standpipe_deadline_due on standpipe.deadline (due_at);

-- What a step has ended its run with, early. Until what is left of such a run is dropped, it is halting with the reason finished.
create table standpipe.finish (
  -- The run.
  run_id uuid primary key,
  -- The node that ended it.
  node   text collate "C" not null,
  -- The run's output, as the codec wrote it.
  value  text not null
);

-- Runs that were paused while somebody held tasks of theirs, which are given back unless they have begun. The row goes when nobody
-- holds one any more; it spares processes to look at all that they hold.
create table standpipe.pausing (
  -- The run.
  run_id uuid primary key
);

-- Pauses of pipelines. One that is over stays, to tell who ended it and why.
create table standpipe.pause (
  -- In order.
  id            bigint generated always as identity primary key,
  -- Since when.
  paused_at     timestamptz not null default clock_timestamp(),
  -- Until when; empty while it is paused.
  resumed_at    timestamptz,
  -- The one lane that is paused; empty for all of the pipeline's, those to come as well.
  lane          integer references standpipe.lane (id),
  -- The pipeline.
  pipeline      text collate "C" not null,
  -- Who paused it.
  paused_by     text not null check (paused_by <> ''),
  -- Why.
  pause_reason  text not null check (pause_reason <> ''),
  -- Who resumed it.
  resumed_by    text check (resumed_by <> ''),
  -- Why.
  resume_reason text check (resume_reason <> ''),
  check ((resumed_at is null) = (resumed_by is null)),
  check ((resumed_at is null) = (resume_reason is null))
);

create unique index standpipe_pause_pipeline on standpipe.pause (pipeline) where lane is null and resumed_at is null;
create unique index standpipe_pause_lane on standpipe.pause (lane) where lane is not null and resumed_at is null;

-- How often the steps that the last revive of a run has started again may be retried, if it has said so.
create table standpipe.retry_limit (
  -- The run.
  run_id      uuid not null,
  -- The steps' node.
  node        text collate "C" not null,
  -- How often.
  max_retries integer not null check (max_retries >= 0),
  primary key (run_id, node)
);

-- Runs that were started as another was: reruns and forks.
create table standpipe.rerun (
  -- The new run.
  run_id          uuid primary key,
  -- The run it was started after.
  original_run_id uuid not null,
  -- The node that a fork begins at; empty for a rerun.
  node            text collate "C"
);

create index standpipe_rerun_original on standpipe.rerun (original_run_id);

-- Runs that a step of another has called.
create table standpipe.called (
  -- The called run.
  run_id         uuid primary key,
  -- The run that called it.
  parent_run_id  uuid not null,
  -- The element of the step that called it, or 0.
  idx            integer not null,
  -- Tells the calls of one step apart, from 1 on.
  call_number    integer not null check (call_number >= 1),
  -- The try of the step that failed because the called run did; 0 if the caller was revived since.
  failed_attempt integer,
  -- The node of the step that called it.
  node           text collate "C" not null,
  unique (parent_run_id, node, idx, call_number)
);

-- Runs that have ended and that something follows, until what follows is written: the transaction that ends such a run adds the row,
-- and the transaction that takes the row away writes what follows.
create table standpipe.ended (
  -- The run.
  run_id   uuid primary key,
  -- When it ended.
  ended_at timestamptz not null default clock_timestamp()
);

-- Runs that were started because another ended: its callbacks and its compensation.
create table standpipe.dispatched (
  -- The new run.
  run_id          uuid primary key,
  -- The run that ended.
  original_run_id uuid not null,
  -- Tells the ends of a run that was brought back in between, so that nothing is started twice for one end.
  end_number      integer not null,
  -- What it is for: on_success, on_failure, on_halt, on_complete, publish or compensate.
  kind            text not null check (kind in ('on_success', 'on_failure', 'on_halt', 'on_complete', 'publish', 'compensate')),
  unique (original_run_id, kind, end_number)
);

-- Which run waits for the success of which.
create table standpipe.chain (
  -- The run that is waited for.
  upstream_run_id   uuid not null,
  -- The run that waits.
  downstream_run_id uuid not null,
  -- Whether the end of the first has been taken into account.
  resolved          boolean not null default false,
  primary key (upstream_run_id, downstream_run_id)
);

create index standpipe_chain_downstream on standpipe.chain (downstream_run_id);

-- Runs that wait for others to succeed. Their first tasks are scheduled out of reach.
create table standpipe.chained (
  -- The run that waits.
  run_id        uuid primary key,
  -- For how many it still waits.
  remaining     integer not null check (remaining >= 0),
  -- How long its first tasks wait after that.
  delay_us      bigint not null,
  -- The run whose output becomes its input; empty if it has one of its own.
  input_run_id  uuid,
  -- Its input if that run has no output.
  default_input text,
  check ((input_run_id is null) = (default_input is null))
);

-- When runs of a pipeline are started by themselves. The transaction that fires an instant moves next_at on. See
-- docs/schedules.md.
create table standpipe.schedule (
  -- What people call it.
  name         text collate "C" primary key,
  -- Raised by every change: who fires with an older one is refused.
  token        bigint not null default 0,
  -- At an interval: from one instant to the next.
  every_us     bigint,
  -- By how much at most a run is delayed.
  jitter_us    bigint not null check (jitter_us >= 0),
  -- The next instant; empty if there is none any more.
  next_at      timestamptz,
  -- When somebody has to look at it: at the next instant, or before if something else is to be started.
  wake_at      timestamptz,
  -- When it was paused, if it is.
  paused_at    timestamptz,
  -- How many missed instants are fired late at most.
  missed_limit integer not null check (missed_limit >= 0),
  -- Whether programs declare it, which make the input of its runs; an operator has created it if not.
  declared     boolean not null,
  -- The pipeline.
  pipeline     text not null,
  -- By a cron expression: this one.
  cron         text,
  -- The time zone that the expression is meant in.
  zone         text,
  -- What becomes of instants that nobody fired in time: skip, latest or all.
  missed       text not null check (missed in ('skip', 'latest', 'all')),
  -- What happens while the run of an earlier instant has not ended: allow, skip, queue or cancel.
  overlap      text not null check (overlap in ('allow', 'skip', 'queue', 'cancel')),
  -- The input of each run; empty if programs make it.
  input        text,
  -- Who changed it last, if it was not a program.
  changed_by   text,
  -- Who paused it.
  paused_by    text,
  -- Why.
  pause_reason text,
  check ((cron is null) = (zone is null)),
  check ((cron is null) <> (every_us is null)),
  check (declared = (input is null)),
  check ((paused_at is null) = (paused_by is null)),
  check ((paused_at is null) = (pause_reason is null))
);

create index standpipe_schedule_wake on standpipe.schedule (wake_at, name) where wake_at is not null;

-- What became of each instant of a schedule, once for ever: it outlives the schedule and its runs.
create table standpipe.firing (
  -- The instant.
  fire_at        timestamptz not null,
  -- When this was decided.
  decided_at     timestamptz not null default clock_timestamp(),
  -- The run that was started for it.
  started_run_id uuid,
  -- The schedule.
  schedule       text collate "C" not null,
  -- requested (by an operator, to be started), started, skipped (an earlier run had not ended) or failed (it has no input).
  outcome        text not null check (outcome in ('requested', 'started', 'skipped', 'failed')),
  -- The operator who asked for it, if one did.
  requested_by   text,
  -- Why no run could be started.
  error          text,
  primary key (schedule, fire_at),
  check ((outcome = 'started') = (started_run_id is not null)),
  check ((outcome = 'failed') = (error is not null))
);

create index standpipe_firing_requested on standpipe.firing (schedule, fire_at) where outcome = 'requested';

-- Events that steps and transactions of the team's own have emitted, until every sink has them. The names and types of id, aggregatetype,
-- aggregateid, type and payload are those that Debezium's outbox event router reads. An event outlives its run. See docs/outbox.md.
create table standpipe.outbox (
  -- Made when it was emitted: every delivery of the event carries it.
  id            uuid primary key,
  -- Its place in the order: an event that was emitted after another was committed has a higher one.
  place         bigint generated always as identity,
  -- The run whose step emitted it; empty if no step did.
  run_id        uuid,
  -- When it was emitted.
  created_at    timestamptz not null default clock_timestamp(),
  -- The element of the step that emitted it, or 0.
  idx           integer,
  -- What its subject hashes to: one relay at a time publishes the events of a slot to a sink.
  slot          smallint not null check (slot between 0 and 63),
  -- Whether it was handed to sinks; not, if there was none yet.
  relayed       boolean not null,
  -- The topic: the pipeline, unless the emitter says otherwise.
  aggregatetype text not null check (aggregatetype <> ''),
  -- The subject, within which events keep their order: the run, unless the emitter says otherwise.
  aggregateid   text collate "C" not null check (aggregateid <> ''),
  -- What happened.
  type          text not null check (type <> ''),
  -- The node of the step that emitted it.
  node          text collate "C",
  -- Further attributes, a JSON object of texts.
  headers       text not null,
  -- What the emitter tells of it, as the codec wrote it.
  payload       text not null
);

create index standpipe_outbox_unrelayed on standpipe.outbox (place) where not relayed;

-- The dedupe keys of events, for ever: a second event of a type with the same key is none.
create table standpipe.outbox_key (
  -- The event that has it.
  event_id   uuid not null,
  -- When it was emitted.
  created_at timestamptz not null default clock_timestamp(),
  -- The type of the event.
  type       text collate "C" not null,
  -- The key.
  key        text collate "C" not null,
  primary key (type, key)
);

-- Where events go. A sink gets every event that is emitted after it is here; the first one those before, too.
create table standpipe.outbox_sink (
  -- What programs and people call it.
  name         text collate "C" primary key,
  -- Since when.
  added_at     timestamptz not null default clock_timestamp(),
  -- When it was paused, if it is.
  paused_at    timestamptz,
  -- Who paused it.
  paused_by    text,
  -- Why.
  pause_reason text,
  check ((paused_at is null) = (paused_by is null)),
  check ((paused_at is null) = (pause_reason is null))
);

-- Who publishes which part of the events to a sink at present. Every claim raises the token: a relay with an older one can note nothing.
create table standpipe.outbox_slot (
  -- The sink.
  sink         text collate "C" not null,
  -- The slot.
  slot         smallint not null,
  -- Raised by every claim.
  token        bigint not null default 0,
  -- The relay that has it.
  held_by      uuid,
  -- Until when, unless the relay asks for longer.
  leased_until timestamptz,
  -- When it may be claimed again after the sink has failed.
  retry_at     timestamptz,
  -- How often the sink has failed here in a row.
  failures     integer not null default 0 check (failures >= 0),
  primary key (sink, slot),
  check ((held_by is null) = (leased_until is null))
);

-- Which sink has still to get which event. A row goes when the sink has taken the event: there is no mark that others could be behind.
create table standpipe.outbox_delivery (
  -- The place of the event in the order.
  place    bigint not null,
  -- When it may be tried again, if it or one before it has failed.
  due_at   timestamptz,
  -- The event.
  event_id uuid not null,
  -- How often it has failed.
  tries    integer not null default 0 check (tries >= 0),
  -- That of the event.
  slot     smallint not null,
  -- The sink.
  sink     text collate "C" not null,
  -- That of the event.
  subject  text collate "C" not null,
  -- Why it has failed last.
  error    text,
  primary key (sink, slot, place)
) with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_cost_delay = 0
);

create index standpipe_outbox_put_off on standpipe.outbox_delivery (sink, slot, subject, place) where due_at is not null;

-- Events that a sink has refused for too often: an operator replays or discards them.
create table standpipe.outbox_dead (
  -- The event.
  event_id uuid not null,
  -- When it was given up.
  died_at  timestamptz not null default clock_timestamp(),
  -- How often it has failed.
  tries    integer not null,
  -- The sink.
  sink     text collate "C" not null,
  -- Why it has failed last.
  error    text not null,
  primary key (sink, event_id)
);

-- What operators did to sinks and events, and why.
create table standpipe.outbox_audit (
  -- In order.
  id       bigint generated always as identity primary key,
  -- When.
  acted_at timestamptz not null default clock_timestamp(),
  -- Who.
  actor    text not null check (actor <> ''),
  -- What: pause, resume, replay, discard or remove.
  action   text not null,
  -- The sink.
  sink     text collate "C" not null,
  -- The event it was done to, if it was one.
  event_id uuid,
  -- Why.
  reason   text not null check (reason <> '')
);
