-- The nodes of running runs whose failed steps the run has outlived, and the reason with which it ends, unless something
-- else halts it. The reason failed is that of a run that went on; see docs/decisions/011. What is lost with a failure has
-- failed without a try: outcome 2, attempt 0.
create table standpipe.outlived (
  run_id uuid not null,
  at     timestamptz not null default clock_timestamp(),
  node   text collate "C" not null,
  reason text not null,
  primary key (run_id, node)
);

create or replace view standpipe.step as
  select r.run_id, r.node, case when r.idx < 0 then -1 - r.idx else r.idx end as idx,
         case when r.outcome = 1 then 'succeeded' when r.outcome = 4 then 'skipped'
              when r.attempt = 0 then 'lost' else 'failed' end as state,
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

-- A failed run is a halted one with that reason, as a canceled or skipped one is.
create or replace view standpipe.status as
  select r.id as run_id,
       case when r.status = 'running'
                 and exists (select 1 from standpipe.chained c where c.run_id = r.id) then 'waiting'
            when r.halt_reason = 'finished' then 'finishing'
            when r.halt_reason = 'skipped' then 'skipped'
            when r.halt_reason = 'failed' then 'failed'
            when r.followed = 4 then 'compensation_failed'
            when r.followed = 3 then 'compensated'
            when r.followed = 2 and r.finished_at is not null and r.status <> 'succeeded' then 'compensating'
            when r.halt_reason is distinct from 'canceled' then r.status
            when r.status = 'halting' then 'canceling' else 'canceled' end as status
  from standpipe.run r;
