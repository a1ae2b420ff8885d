-- What the doctor looks at, each statement in the one read-only transaction of an examination.
-- A check counts what must not be and names one of them.

-- name: doctor_version
select coalesce(max(version), 0) as version from standpipe.schema

-- name: doctor_terminal_run_with_tasks
select count(*) as n, min({text(t.run_id)}) as example
from {live} t join standpipe.run r on r.id = t.run_id
where r.finished_at is not null

-- name: doctor_task_without_run
select count(*) as n, min({text(t.run_id)}) as example
from {live} t
where not exists (select 1 from standpipe.run r where r.id = t.run_id)

-- name: doctor_task_without_definition
select count(*) as n, min({text(t.run_id)}) as example
from {live} t
where not exists (select 1 from standpipe.lane l join standpipe.definition d on d.id = l.definition_id where l.id = t.lane)

-- name: doctor_run_without_tasks
-- A run that goes on has a live row: what follows a step is made in the commit that ends it. One that was
-- stopped may have none, and is ended next.
select count(*) as n, min({text(r.id)}) as example
from standpipe.run r
where r.finished_at is null and not exists (select 1 from {live} t where t.run_id = r.id)
  and not exists (select 1 from standpipe.canceling c where c.run_id = r.id)

-- name: doctor_token_behind
select count(*) as n, min({text(t.run_id)} || ' ' || t.node) as example
from standpipe.task t
where exists (select 1 from standpipe.attempt a
              where a.run_id = t.run_id and a.node = t.node and a.idx = t.idx and a.token > t.token)
   or exists (select 1 from standpipe.turn u
              where u.run_id = t.run_id and u.node = t.node and u.idx = t.idx and u.token >= t.token)

-- name: doctor_signal_not_heard
-- A task that is put off after a crash or a failure may have its signal already.
select count(*) as n, min({text(t.run_id)} || ' ' || t.node) as example
from standpipe.task t join standpipe.signal s on s.run_id = t.run_id and s.node = t.node and s.idx = t.idx
where t.state = :state.scheduled and t.crashes = 0 and t.attempt = 1 and s.value is not null

-- name: doctor_crash_used_a_retry
select count(*) as n, min({text(t.run_id)} || ' ' || t.node) as example
from standpipe.task t
where t.attempt > 1
  and t.attempt - 1 > (select count(*) from standpipe.attempt a
                       where a.run_id = t.run_id and a.node = t.node and a.idx = t.idx
                         and a.outcome not in ('crashed', 'canceled', 'snoozed'))

-- name: doctor_left_parked
select count(*) as n, min({text(t.run_id)} || ' ' || t.node) as example
from standpipe.task t join standpipe.run r on r.id = t.run_id
where {is_parked(t)} and {goes_on(r.status)} and r.status <> 'paused'

-- name: doctor_paused_for_long
select count(*) as n, min(what) as example
from (
  select 'run ' || {text(r.id)} as what
  from standpipe.run r
  where {paused_runs}
    and (select max(a.acted_at) from standpipe.audit a where a.run_id = r.id and a.action = 'pause') < {now} - {duration(86400000000)}
  union all
  select 'pipeline ' || pipeline from standpipe.pause where resumed_at is null and paused_at < {now} - {duration(86400000000)}
) x

-- name: doctor_context_without_step
select count(*) as n, min({text(c.run_id)} || ' ' || c.key) as example
from standpipe.context c
where not exists (select 1 from standpipe.result r
                  where r.run_id = c.run_id and r.node = c.node and r.idx in (c.idx, {own_index(c.idx)})
                    and r.token = c.token and r.outcome = :outcome.succeeded)
  and not exists (select 1 from standpipe.turn t
                  where t.run_id = c.run_id and t.node = c.node and t.idx = c.idx and t.token >= c.token)

-- name: doctor_waiting_fan_ins
select a.run_id, a.node, d.graph
from standpipe.arrival a
     join standpipe.run r on r.id = a.run_id
     {with_definition(r.lane)}
where a.remaining > 0 and a.node not in (:node.end, :node.close) and {goes_on(r.status)}
  and exists (select 1 from standpipe.task t where t.run_id = a.run_id)
order by a.run_id
limit 1000

-- name: doctor_live_nodes
select distinct node from standpipe.task where run_id = :run

-- name: doctor_expired_lease
select count(*) as n, min(p.name) as example
from standpipe.process p
where p.lease_expires_at < {now} - {duration(:overdue_us)}

-- name: doctor_orphaned_lease
select count(*) as n, min({text(t.owner)}) as example
from standpipe.task t
where t.state = :state.leased and not exists (select 1 from standpipe.process p where p.id = t.owner)

-- name: doctor_overdue_task
select count(*) as n, min({text(t.run_id)} || ' ' || t.node) as example
from standpipe.task t
where t.state = :state.scheduled and t.due_at < {now} - {duration(:overdue_us)}

-- name: doctor_overdue_run
select count(*) as n, min({text(d.run_id)}) as example
from standpipe.deadline d
where d.due_at < {now} - {duration(:overdue_us)}

-- name: doctor_end_not_followed
select count(*) as n, min({text(e.run_id)}) as example
from standpipe.ended e
where e.ended_at < {now} - {duration(:overdue_us)}

-- name: doctor_suspect
select count(*) as n, min({text(t.run_id)} || ' ' || t.node) as example
from standpipe.task t
where t.crashes >= 2

-- name: doctor_different_definitions
select count(*) as n, min(pipeline) as example
from (
  select d.pipeline
  from standpipe.serving s
       join standpipe.process p on p.id = s.process_id
       {with_definition(s.lane)}
  where p.lease_expires_at >= {now}
  group by d.pipeline
  having count(distinct d.id) > 1
) x

-- name: doctor_clock_jump
-- A lease lasts an hour at most. The newest run is found by its id, which sorts by time.
select count(*) as n, min(what) as example
from (
  select 'process ' || name as what from standpipe.process
  where started_at > {now} + {duration(5000000)} or lease_expires_at > {now} + {duration(7200000000)}
  union all
  select 'definition of ' || pipeline from standpipe.definition where served_at > {now} + {duration(5000000)}
  union all
  select 'run ' || {text(id)} from (select id, created_at from standpipe.run order by id desc limit 1) newest
  where created_at > {now} + {duration(5000000)}
) x

-- name: doctor_schedule_late
select count(*) as n, min(name) as example
from standpipe.schedule
where wake_at < {now} - {duration(:long_us)}

-- name: doctor_outbox_late
-- The oldest event of each slot tells. One that is paused is meant to wait.
select count(*) as n, min(k.name) as example
from standpipe.outbox_sink k
where k.paused_at is null
  and exists (select 1 from standpipe.outbox_slot s
                   join standpipe.outbox o
                     on o.id = (select d.event_id from standpipe.outbox_delivery d
                                where d.sink = s.sink and d.slot = s.slot order by d.place limit 1)
              where s.sink = k.name and o.created_at < {now} - {duration(:long_us)})

-- name: doctor_dead_letters
select count(*) as n, min({text(x.event_id)} || ' for ' || x.sink) as example
from standpipe.outbox_dead x
