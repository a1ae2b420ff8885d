-- What the doctor looks at, each statement in the one read-only transaction of an examination.
-- A check counts what must not be and names one of them.

-- name: doctor_version
select coalesce(max(version), 0) as version from standpipe.schema

-- name: doctor_terminal_run_with_tasks
select count(*) as n, min(t.run_id::text) as example
from standpipe.live t join standpipe.run r on r.id = t.run_id
where r.status in ('succeeded', 'halted')

-- name: doctor_task_without_run
select count(*) as n, min(t.run_id::text) as example
from standpipe.live t
where not exists (select 1 from standpipe.run r where r.id = t.run_id)

-- name: doctor_task_without_definition
select count(*) as n, min(t.run_id::text) as example
from standpipe.live t
where not exists (select 1 from standpipe.definition d where d.id = abs(t.lane))

-- name: doctor_run_without_tasks
-- A run that goes on has a live row: what follows a step is made in the commit that ends it. One that was
-- stopped may have none, and is ended next.
select count(*) as n, min(r.id::text) as example
from standpipe.run r
where r.status in ('running', 'halting') and not exists (select 1 from standpipe.live t where t.run_id = r.id)
  and not exists (select 1 from standpipe.canceling c where c.run_id = r.id)

-- name: doctor_task_with_result
-- An expand's own result has the index -1, its elements have an outcome of their own.
select count(*) as n, min(t.run_id::text || ' ' || t.node) as example
from standpipe.task t
where t.state <> :state.halting
  and exists (select 1 from standpipe.result r
              where r.run_id = t.run_id and r.node = t.node
                and ((r.idx between coalesce(t.first_index, t.idx) and t.idx and r.outcome <> :outcome.element) or r.idx = -1 - t.idx))

-- name: doctor_token_behind
select count(*) as n, min(t.run_id::text || ' ' || t.node) as example
from standpipe.task t
where exists (select 1 from standpipe.attempt a
              where a.run_id = t.run_id and a.node = t.node and a.idx = t.idx and a.token > t.token)

-- name: doctor_signal_not_heard
-- A task that is put off after a crash or a failure may have its signal already.
select count(*) as n, min(t.run_id::text || ' ' || t.node) as example
from standpipe.task t join standpipe.signal s on s.run_id = t.run_id and s.node = t.node and s.idx = t.idx
where t.state = :state.scheduled and t.crashes = 0 and t.attempt = 1 and s.value is not null

-- name: doctor_crash_used_a_retry
select count(*) as n, min(t.run_id::text || ' ' || t.node) as example
from standpipe.task t
where t.attempt > 1
  and t.attempt - 1 > (select count(*) from standpipe.attempt a
                       where a.run_id = t.run_id and a.node = t.node and a.idx = t.idx
                         and a.outcome not in ('crashed', 'canceled', 'snoozed'))

-- name: doctor_left_parked
select count(*) as n, min(t.run_id::text || ' ' || t.node) as example
from standpipe.task t join standpipe.run r on r.id = t.run_id
where t.lane < 0 and r.status = 'running' and r.paused_at is null

-- name: doctor_paused_for_long
select count(*) as n, min(what) as example
from (
  select 'run ' || id::text as what from standpipe.run where status = 'running' and paused_at < clock_timestamp() - interval '1 day'
  union all
  select 'pipeline ' || pipeline from standpipe.pause where resumed_at is null and paused_at < clock_timestamp() - interval '1 day'
) x

-- name: doctor_context_without_step
select count(*) as n, min(c.run_id::text || ' ' || c.key) as example
from standpipe.context c
where not exists (select 1 from standpipe.result r
                  where r.run_id = c.run_id and r.node = c.node and r.idx in (c.idx, -1 - c.idx)
                    and r.token = c.token and r.outcome = :outcome.succeeded)

-- name: doctor_fan_in_not_opened
-- Inside an expand a counter is called after its step's index as well.
select count(*) as n, min(a.run_id::text || ' ' || a.node) as example
from standpipe.arrival a
     join standpipe.run r on r.id = a.run_id
     cross join lateral (
       select split_part(a.node, '#', 1) as node,
              coalesce(nullif(split_part(a.node, '#', 2), ''), '0')::integer as idx) k
where a.remaining = 0 and r.status = 'running'
  and not exists (select 1 from standpipe.task t
                  where t.run_id = a.run_id and t.node = k.node and t.idx = k.idx)
  and not exists (select 1 from standpipe.result s
                  where s.run_id = a.run_id and s.node = k.node and s.idx in (k.idx, -1 - k.idx))

-- name: doctor_waiting_fan_ins
select a.run_id, a.node, d.graph
from standpipe.arrival a
     join standpipe.run r on r.id = a.run_id
     join standpipe.definition d on d.id = r.lane
where a.remaining > 0 and a.node not in ('$end', '$close') and r.status = 'running'
  and exists (select 1 from standpipe.task t where t.run_id = a.run_id)
order by a.run_id
limit 1000

-- name: doctor_live_nodes
select distinct node from standpipe.task where run_id = :run

-- name: doctor_expired_lease
select count(*) as n, min(p.name) as example
from standpipe.process p
where p.lease_expires_at < clock_timestamp() - :overdue_us * interval '1 microsecond'

-- name: doctor_orphaned_lease
select count(*) as n, min(t.owner::text) as example
from standpipe.task t
where t.state = :state.leased and not exists (select 1 from standpipe.process p where p.id = t.owner)

-- name: doctor_unserved_work
select coalesce(sum(coalesce(coalesce(cardinality(t.runs), t.idx + 1) - t.first_index, 1)), 0) as n, min(d.pipeline) as example
from standpipe.task t join standpipe.definition d on d.id = t.lane
where t.state in (:state.ready, :state.scheduled, :state.suspect)
  and not exists (select 1 from standpipe.serving s join standpipe.process p on p.id = s.process_id
                  where s.lane = t.lane and p.lease_expires_at >= clock_timestamp())

-- name: doctor_overdue_task
select count(*) as n, min(t.run_id::text || ' ' || t.node) as example
from standpipe.task t
where t.state = :state.scheduled and t.due_at < clock_timestamp() - :overdue_us * interval '1 microsecond'

-- name: doctor_overdue_run
select count(*) as n, min(d.run_id::text) as example
from standpipe.deadline d
where d.due_at < clock_timestamp() - :overdue_us * interval '1 microsecond'

-- name: doctor_end_not_followed
select count(*) as n, min(e.run_id::text) as example
from standpipe.ended e
where e.ended_at < clock_timestamp() - :overdue_us * interval '1 microsecond'

-- name: doctor_suspect
select count(*) as n, min(t.run_id::text || ' ' || t.node) as example
from standpipe.task t
where t.crashes >= 2

-- name: doctor_different_definitions
select count(*) as n, min(pipeline) as example
from (
  select d.pipeline
  from standpipe.serving s
       join standpipe.process p on p.id = s.process_id
       join standpipe.definition d on d.id = s.lane
  where p.lease_expires_at >= clock_timestamp()
  group by d.pipeline
  having count(distinct d.id) > 1
) x

-- name: doctor_clock_jump
-- A lease lasts an hour at most. The newest run is found by its id, which sorts by time.
select count(*) as n, min(what) as example
from (
  select 'process ' || name as what from standpipe.process
  where started_at > clock_timestamp() + interval '5 seconds' or lease_expires_at > clock_timestamp() + interval '7200 seconds'
  union all
  select 'definition of ' || pipeline from standpipe.definition where served_at > clock_timestamp() + interval '5 seconds'
  union all
  select 'run ' || id::text from (select id, created_at from standpipe.run order by id desc limit 1) newest
  where created_at > clock_timestamp() + interval '5 seconds'
) x

-- name: doctor_indexes
select c.relname as name
from pg_index i join pg_class c on c.oid = i.indexrelid
where i.indrelid in (to_regclass('standpipe.definition'), to_regclass('standpipe.run'), to_regclass('standpipe.task'),
                     to_regclass('standpipe.audit'), to_regclass('standpipe.rerun'),
                     to_regclass('standpipe.deadline'), to_regclass('standpipe.chain'), to_regclass('standpipe.pause'))
  and i.indisvalid

-- name: doctor_long_transaction
select count(*) as n,
       min('pid ' || a.pid || ' of ' || coalesce(a.usename, '?') || ' (' || coalesce(nullif(a.application_name, ''), '?')
           || '), ' || a.state || ', open for ' || (extract(epoch from clock_timestamp() - a.xact_start))::bigint || ' s') as example
from pg_stat_activity a
where a.datname = current_database() and a.pid <> pg_backend_pid() and a.backend_type = 'client backend'
  and a.xact_start < clock_timestamp() - :long_us * interval '1 microsecond'

-- name: doctor_encoding
select count(*) as n, min(e.name) as example
from (select current_setting('server_encoding') as name) e
where e.name <> 'UTF8'

-- name: doctor_dead_tuples
-- Every burst of work leaves dead rows, and autovacuum comes by once in a nap. They are worth a word if it is
-- off, if something keeps it from removing them, or if it has not come for ten naps although it should have:
-- since nothing was started, or since there are far too many.
select count(*) as n, min(s.relname || ' with ' || s.n_dead_tup || ' dead of ' || (s.n_live_tup + s.n_dead_tup)) as example
from pg_stat_all_tables s
     join pg_class c on c.oid = s.relid
     cross join (select 10 * current_setting('autovacuum_naptime')::interval as naps) v
where s.relid in (to_regclass('standpipe.task'), to_regclass('standpipe.arrival'), to_regclass('standpipe.run'),
                  to_regclass('standpipe.process'))
  and s.n_dead_tup > :dead and s.n_dead_tup > 2 * s.n_live_tup
  and (current_setting('autovacuum') = 'off'
       or exists (select 1 from unnest(c.reloptions) o where o in ('autovacuum_enabled=off', 'autovacuum_enabled=false'))
       or exists (select 1 from pg_replication_slots l where not l.active and (l.xmin is not null or l.catalog_xmin is not null))
       or exists (select 1 from pg_stat_activity a
                  where a.datname = current_database() and a.backend_xmin is not null and a.pid <> pg_backend_pid()
                    and a.xact_start < clock_timestamp() - :long_us * interval '1 microsecond')
       or (coalesce(greatest(s.last_vacuum, s.last_autovacuum), '-infinity') < clock_timestamp() - v.naps
           and (s.n_dead_tup > 100 * :dead
                or (select r.created_at from standpipe.run r order by r.id desc limit 1) < clock_timestamp() - v.naps)))
