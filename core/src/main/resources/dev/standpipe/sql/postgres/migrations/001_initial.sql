-- The tables of Standpipe. docs/design.md says what they mean.

-- A pipeline's graph. Immutable but for served_at, which tells the newest of a pipeline.
create table standpipe.definition (
  id        integer generated always as identity primary key,
  hash      text not null unique,
  pipeline  text not null,
  graph     text not null,
  served_at timestamptz not null default clock_timestamp()
);

create index standpipe_definition_pipeline on standpipe.definition (pipeline, served_at);

-- A JVM that serves pipelines. Its lease covers every task it owns.
create table standpipe.process (
  id               uuid primary key,
  name             text not null,
  host             text not null,
  pid              bigint not null,
  started_at       timestamptz not null default clock_timestamp(),
  lease_expires_at timestamptz not null
);

create table standpipe.serving (
  process_id uuid not null,
  lane       integer not null,
  primary key (process_id, lane)
);

-- One execution of a pipeline. lane is the id of its definition.
create table standpipe.run (
  id          uuid primary key,
  pipeline    text not null,
  lane        integer not null,
  status      text not null default 'running'
              check (status in ('running', 'halting', 'succeeded', 'halted')),
  priority    smallint not null,
  key         text,
  key_hash    text,
  labels      text not null,
  halt_reason text,
  halt_node   text,
  created_at  timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  check ((status in ('succeeded', 'halted')) = (finished_at is not null)),
  check ((status in ('halting', 'halted')) = (halt_reason is not null)),
  check ((key is null) = (key_hash is null))
) with (fillfactor = 80);

create unique index standpipe_run_key on standpipe.run (pipeline, key) where key is not null;

create sequence standpipe.task_seq cache 1;

-- The live row of a step that is not finished. Narrow and short-lived: a chain of steps hands the
-- row on from one to the next, so id is that of the step the row was made for.
-- state: 0 ready, 1 leased, 2 scheduled, 4 marks a run that is halting.
create table standpipe.task (
  run_id   uuid not null,
  id       bigint not null,
  seq      bigint not null default nextval('standpipe.task_seq'),
  token    bigint not null,
  due_at   timestamptz,
  lane     integer not null,
  idx      integer not null,
  attempt  integer not null,
  crashes  integer not null,
  priority smallint not null,
  state    smallint not null check (state in (0, 1, 2, 4)),
  owner    uuid,
  node     text collate "C" not null,
  primary key (run_id, id),
  check ((state = 1) = (owner is not null)),
  check ((state = 2) = (due_at is not null)),
  check (token >= 0 and attempt >= 1 and crashes >= 0)
) with (
  fillfactor = 60,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.2
);

-- None of these holds a column that changes while a row stays leased: hand-overs are HOT updates.
create index standpipe_task_ready on standpipe.task (lane, (-priority), seq) where state = 0;
create index standpipe_task_owner on standpipe.task (owner) where state = 1;
create index standpipe_task_due on standpipe.task (due_at) where state = 2;
create index standpipe_task_halting on standpipe.task (run_id) where state = 4;

-- The outcome of a finished step, written once. outcome: 1 succeeded, 2 failed, 3 an element.
-- The run's input is the result of node $input; an element is a result of its expand node, whose
-- own result has the index -1.
create table standpipe.result (
  run_id      uuid not null,
  token       bigint not null,
  elapsed_us  bigint not null,
  finished_at timestamptz not null default clock_timestamp(),
  idx         integer not null,
  attempt     integer not null,
  outcome     smallint not null check (outcome in (1, 2, 3)),
  process     uuid,
  node        text collate "C" not null,
  value       text,
  primary key (run_id, node, idx),
  check ((outcome = 2) = (value is null))
);

-- How many arrivals a fan-in, or the end of a run, still waits for.
create table standpipe.arrival (
  run_id    uuid not null,
  need      integer not null,
  remaining integer not null check (remaining >= 0),
  node      text collate "C" not null,
  primary key (run_id, node)
) with (fillfactor = 70);

-- Tries that did not succeed.
create table standpipe.attempt (
  run_id      uuid not null,
  token       bigint not null,
  elapsed_us  bigint not null,
  finished_at timestamptz not null default clock_timestamp(),
  idx         integer not null,
  attempt     integer not null,
  process     uuid not null,
  node        text collate "C" not null,
  outcome     text not null check (outcome in ('failed', 'timed_out', 'crashed')),
  error_type  text,
  error       text,
  trace       text,
  primary key (run_id, node, idx, token)
);

-- What there is to know about each step, in words.
create view standpipe.step as
  select r.run_id, r.node, case when r.idx < 0 then -1 - r.idx else r.idx end as idx,
         case r.outcome when 1 then 'succeeded' else 'failed' end as state,
         r.attempt, 0 as crashes, r.token, r.process as owner, r.finished_at, r.value
  from standpipe.result r
  where r.outcome <> 3 and r.node <> '$input'
union all
  select t.run_id, t.node, t.idx, case t.state when 0 then 'ready' when 1 then 'leased' else 'scheduled' end,
         t.attempt, t.crashes, t.token, t.owner, null, null
  from standpipe.task t
  where t.state <> 4;
