-- What the doctor looks at in its own way here; see shared/doctor.sql.

-- name: doctor_task_with_result
-- An expand's own result has an index of its own, its elements have an outcome of their own.
select count(*) as n, min(t.run_id::text || ' ' || t.node) as example
from standpipe.task t
where t.state <> :state.halting
  and exists (select 1 from standpipe.result r
              where r.run_id = t.run_id and r.node = t.node
                and ((r.idx between coalesce(t.first_index, t.idx) and t.idx and r.outcome <> :outcome.element) or r.idx = {own_index(t.idx)}))

-- name: doctor_fan_in_not_opened
-- Inside an expand a counter is called after its step's index as well.
select count(*) as n, min(a.run_id::text || ' ' || a.node) as example
from standpipe.arrival a
     join standpipe.run r on r.id = a.run_id
     cross join lateral (
       select split_part(a.node, '#', 1) as node,
              coalesce(nullif(split_part(a.node, '#', 2), ''), '0')::integer as idx) k
where a.remaining = 0 and {goes_on(r.status)}
  and not exists (select 1 from standpipe.task t
                  where t.run_id = a.run_id and t.node = k.node and t.idx = k.idx)
  and not exists (select 1 from standpipe.result s
                  where s.run_id = a.run_id and s.node = k.node and s.idx in (k.idx, {own_index(k.idx)}))

-- name: doctor_unserved_work
select coalesce(sum(coalesce(coalesce(cardinality(t.runs), t.idx + 1) - t.first_index, 1)), 0) as n, min(d.pipeline) as example
from standpipe.task t
     {with_definition(t.lane)}
where l.parks_for is null and t.state in (:state.ready, :state.scheduled, :state.suspect)
  and not exists (select 1 from standpipe.serving s join standpipe.process p on p.id = s.process_id
                  where s.lane = t.lane and p.lease_expires_at >= clock_timestamp())

-- name: doctor_indexes
select c.relname as name
from pg_index i join pg_class c on c.oid = i.indexrelid
where i.indrelid in (to_regclass('standpipe.definition'), to_regclass('standpipe.run'), to_regclass('standpipe.task'),
                     to_regclass('standpipe.audit'), to_regclass('standpipe.rerun'),
                     to_regclass('standpipe.deadline'), to_regclass('standpipe.chain'), to_regclass('standpipe.pause'),
                     to_regclass('standpipe.schedule'), to_regclass('standpipe.firing'),
                     to_regclass('standpipe.outbox'), to_regclass('standpipe.outbox_delivery'))
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
