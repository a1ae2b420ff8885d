-- One row for each await that has begun to wait, or was signaled before it did: task is the row that
-- waits, a task that is scheduled for when it expires. Whoever gets this row first, the signal or the
-- expiry, decides. See docs/decisions/013.
create table standpipe.signal (
  run_id      text not null,
  node        text not null,
  idx         integer not null,
  task        integer,
  signaled_at integer,
  expired     integer not null default 0 check (expired in (0, 1)),
  dedupe      text,
  value       text,
  primary key (run_id, node, idx),
  check (expired = 0 or value is null),
  check ((value is null) = (signaled_at is null)),
  check ((value is null) = (dedupe is null))
) without rowid;

drop view standpipe.step;

create view standpipe.step as
  select r.run_id, r.node, case when r.idx < 0 then -1 - r.idx else r.idx end as idx,
         case r.outcome when 1 then 'succeeded' when 4 then 'skipped' else 'failed' end as state,
         r.attempt, 0 as crashes, r.token, r.process as owner, r.finished_at, r.value
  from standpipe.result r
  where r.outcome <> 3 and r.node <> '$input'
union all
  select t.run_id, t.node, t.idx,
         case when t.state in (0, 3) then 'ready'
              when t.state = 1 then 'leased'
              when exists (select 1 from standpipe.signal s
                           where s.run_id = t.run_id and s.node = t.node and s.idx = t.idx
                             and s.value is null) then 'waiting'
              else 'scheduled' end,
         t.attempt, t.crashes, t.token, t.owner, null, null
  from standpipe.task t
  where t.state <> 4
union all
  select q.run_id, q.node, q.idx, 'quarantined', q.attempt, q.crashes, q.token, null, null, null
  from standpipe.quarantine q;
