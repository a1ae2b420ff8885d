-- A step can be skipped: outcome 4, without a value. Elements of an expand that was skipped are not
-- there to be counted; one row with the index -1 stands for all of them. A check cannot be changed, so
-- the table is made anew.
drop view standpipe.step;

create table standpipe.result_next (
  run_id      text not null,
  node        text not null,
  idx         integer not null,
  token       integer not null,
  elapsed_us  integer not null,
  finished_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  attempt     integer not null,
  outcome     integer not null check (outcome in (1, 2, 3, 4)),
  process     text,
  value       text,
  primary key (run_id, node, idx),
  check ((outcome in (2, 4)) = (value is null))
) without rowid;

insert into standpipe.result_next
  (run_id, node, idx, token, elapsed_us, finished_at, attempt, outcome, process, value)
select run_id, node, idx, token, elapsed_us, finished_at, attempt, outcome, process, value
from standpipe.result;

drop table standpipe.result;
alter table standpipe.result_next rename to standpipe_result;

create view standpipe.step as
  select r.run_id, r.node, case when r.idx < 0 then -1 - r.idx else r.idx end as idx,
         case r.outcome when 1 then 'succeeded' when 4 then 'skipped' else 'failed' end as state,
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
