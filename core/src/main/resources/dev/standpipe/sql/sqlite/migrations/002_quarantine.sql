-- How often the processes that hold a step may die before the step is quarantined: what the process
-- that died has said, for all steps and for single ones.
alter table standpipe.process add column crash_limit integer not null default 10 check (crash_limit >= 3);

create table standpipe.crash_limit (
  process_id text not null,
  lane       integer not null,
  node       text not null,
  most       integer not null check (most >= 3),
  primary key (process_id, lane, node)
) without rowid;

-- A task with two crashes is a suspect. State 3 is ready, but not for a claim of many: a process
-- takes suspects one at a time. A check cannot be changed, so the table is made anew.
drop view standpipe.step;

create table standpipe.task_next (
  run_id   text not null,
  id       integer not null,
  seq      integer not null default 0,
  token    integer not null,
  due_at   integer,
  lane     integer not null,
  idx      integer not null,
  attempt  integer not null,
  crashes  integer not null,
  priority integer not null,
  state    integer not null check (state in (0, 1, 2, 4) or (state = 3 and crashes >= 2)),
  owner    text,
  node     text not null,
  primary key (run_id, id),
  check ((state = 1) = (owner is not null)),
  check ((state = 2) = (due_at is not null)),
  check (token >= 0 and attempt >= 1 and crashes >= 0)
) without rowid;

insert into standpipe.task_next
  (run_id, id, seq, token, due_at, lane, idx, attempt, crashes, priority, state, owner, node)
select run_id, id, seq, token, due_at, lane, idx, attempt, crashes, priority, state, owner, node
from standpipe.task;

drop table standpipe.task;
alter table standpipe.task_next rename to standpipe_task;

create index standpipe_task_ready on standpipe.task (lane, priority desc, seq) where state = 0;
create index standpipe_task_owner on standpipe.task (owner) where state = 1;
create index standpipe_task_due on standpipe.task (due_at) where state = 2;
create index standpipe_task_suspect on standpipe.task (crashes, seq) where state = 3;
create index standpipe_task_halting on standpipe.task (run_id) where state = 4;

-- The step for which a run was halted because it kept killing its process, until an operator
-- releases or discards it. The first of a run halts it, so there is never a second.
create table standpipe.quarantine (
  run_id         text not null primary key,
  token          integer not null,
  quarantined_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  idx            integer not null,
  attempt        integer not null,
  crashes        integer not null,
  node           text not null
) without rowid;

-- What operators did, and why.
create table standpipe.audit (
  id     integer primary key,
  at     integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  actor  text not null check (actor <> ''),
  action text not null,
  run_id text not null,
  node   text,
  idx    integer,
  reason text not null check (reason <> '')
);

create index standpipe_audit_run on standpipe.audit (run_id);

create view standpipe.step as
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
