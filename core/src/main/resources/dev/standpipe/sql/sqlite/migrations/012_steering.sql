-- A run may also be started from one of the nodes of another: a fork. A rerun has no node.
alter table standpipe.rerun add column node text;

-- What a run is, in words. A canceled or skipped run is a halted one with that reason, and one that a step
-- ends early is halting until it has succeeded.
create view standpipe.status as
  select r.id as run_id,
       case when r.status = 'running'
                 and exists (select 1 from standpipe.chained c where c.run_id = r.id) then 'waiting'
            when r.halt_reason = 'finished' then 'finishing'
            when r.halt_reason = 'skipped' then 'skipped'
            when r.followed = 4 then 'compensation_failed'
            when r.followed = 3 then 'compensated'
            when r.followed = 2 and r.finished_at is not null and r.status <> 'succeeded' then 'compensating'
            when r.halt_reason is not 'canceled' then r.status
            when r.status = 'halting' then 'canceling' else 'canceled' end as status
  from standpipe.run r;
