-- What the doctor looks at in its own way here; see shared/doctor.sql.

-- name: doctor_task_with_result
-- An expand's own result has an index of its own, its elements have an outcome of their own.
select count(*) as n, min(t.run_id || ' ' || t.node) as example
from standpipe.task t
where t.state <> :state.halting
  and exists (select 1 from standpipe.result r
              where r.run_id = t.run_id and r.node = t.node
                and ((r.idx = t.idx and r.outcome <> :outcome.element) or r.idx = {own_index(t.idx)}))

-- name: doctor_fan_in_not_opened
-- Inside an expand a counter is called after its step's index as well.
select count(*) as n, min(a.run_id || ' ' || a.counter) as example
from (select run_id, remaining, node as counter,
             case when instr(node, '#') = 0 then node else substr(node, 1, instr(node, '#') - 1) end as node,
             case when instr(node, '#') = 0 then 0
                  else cast(substr(node, instr(node, '#') + 1) as integer) end as idx
      from standpipe.arrival) a
     join standpipe.run r on r.id = a.run_id
where a.remaining = 0 and {goes_on(r.status)}
  and not exists (select 1 from standpipe.task t
                  where t.run_id = a.run_id and t.node = a.node and t.idx = a.idx)
  and not exists (select 1 from standpipe.result s
                  where s.run_id = a.run_id and s.node = a.node and s.idx in (a.idx, {own_index(a.idx)}))

-- name: doctor_unserved_work
select count(*) as n, min(d.pipeline) as example
from standpipe.task t
     {with_definition(t.lane)}
where l.parks_for is null and t.state in (:state.ready, :state.scheduled, :state.suspect)
  and not exists (select 1 from standpipe.serving s join standpipe.process p on p.id = s.process_id
                  where s.lane = t.lane and p.lease_expires_at >= {now})

-- name: doctor_indexes
select name from sqlite_master where type = 'index'

-- name: doctor_journal
select count(*) as n, min(journal_mode) as example from pragma_journal_mode where journal_mode <> 'wal'

-- name: doctor_free_pages
select count(*) as n, min(f.freelist_count || ' free of ' || p.page_count || ' pages') as example
from pragma_freelist_count f, pragma_page_count p
where f.freelist_count > :dead and f.freelist_count * 2 > p.page_count
