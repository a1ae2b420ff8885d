-- How often the processes that hold a step may die before the step is quarantined: what the process
-- that died has said, for all steps and for single ones.
alter table standpipe.process add column crash_limit integer not null default 10 check (crash_limit >= 3);

create table standpipe.crash_limit (
  process_id uuid not null,
  lane       integer not null,
  node       text collate "C" not null,
  most       integer not null check (most >= 3),
  primary key (process_id, lane, node)
);

-- A task with two crashes is a suspect. State 3 is ready, but not for a claim of many: a process
-- takes suspects one at a time.
alter table standpipe.task drop constraint standpipe_task_state_check;
alter table standpipe.task add constraint standpipe_task_state_check
  check (state in (0, 1, 2, 4) or (state = 3 and crashes >= 2));

create index standpipe_task_suspect on standpipe.task (crashes, seq) where state = 3;

-- The step for which a run was halted because it kept killing its process, until an operator
-- releases or discards it. The first of a run halts it, so there is never a second.
create table standpipe.quarantine (
  run_id         uuid primary key,
  token          bigint not null,
  quarantined_at timestamptz not null default clock_timestamp(),
  idx            integer not null,
  attempt        integer not null,
  crashes        integer not null,
  node           text collate "C" not null
);

-- What operators did, and why.
create table standpipe.audit (
  id     bigint generated always as identity primary key,
  at     timestamptz not null default clock_timestamp(),
  actor  text not null check (actor <> ''),
  action text not null,
  run_id uuid not null,
  node   text collate "C",
  idx    integer,
  reason text not null check (reason <> '')
);

create index standpipe_audit_run on standpipe.audit (run_id);

create or replace view standpipe.step as
  select r.run_id, r.node, case when r.idx < 0 then -1 - r.idx else r.idx end as idx,
         case r.outcome when 1 then 'succeeded' else 'failed' end as state,
         r.attempt, 0 as crashes, r.token, r.process as owner, r.finished_at, r.value
  from standpipe.result r
  where r.outcome <> 3 and r.node <> '$input'
union all
  select t.run_id, t.node, t.idx,
         case when t.state in (0, 3) then 'ready' when t.state = 1 then 'leased' else 'scheduled' end,
         t.attempt, t.crashes, t.token, t.owner, null, null
  from standpipe.task t
  where t.state <> 4
union all
  select q.run_id, q.node, q.idx, 'quarantined', q.attempt, q.crashes, q.token, null, null, null
  from standpipe.quarantine q;
