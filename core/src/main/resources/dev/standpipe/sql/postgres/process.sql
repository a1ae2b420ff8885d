-- name: process_join
insert into standpipe.process (id, name, host, pid, lease_expires_at)
values (:id, :name, :host, :pid, clock_timestamp() + :lease_us * interval '1 microsecond')

-- name: process_serve
insert into standpipe.serving (process_id, lane)
select :id, lane from unnest(:lanes.lane::integer[]) as l (lane)

-- name: process_renew
update standpipe.process
set lease_expires_at = clock_timestamp() + :lease_us * interval '1 microsecond'
where id = :id

-- name: process_release
update standpipe.task
set state = 0, owner = null, seq = nextval('standpipe.task_seq')
where owner = :id and state = 1

-- name: process_leave
delete from standpipe.process where id = :id

-- name: process_unserve
delete from standpipe.serving where process_id = :id

-- name: process_expired
-- Holding the row keeps the process from renewing, and other reapers off it, until this ends.
select id, name
from standpipe.process
where lease_expires_at < clock_timestamp()
order by id
limit 1
for update skip locked

-- name: process_orphaned
-- A claim, a start or a settlement that was under way while its process was reaped may have leased
-- tasks to it that the reaper could not see. Finds one owner that is no process any more, going from
-- owner to owner through the index instead of reading every leased task.
with recursive owners (id) as (
  (select owner from standpipe.task where state = 1 order by owner limit 1)
  union all
  select (select t.owner from standpipe.task t where t.state = 1 and t.owner > o.id order by t.owner limit 1)
  from owners o
  where o.id is not null
)
select o.id, 'unknown' as name
from owners o
where o.id is not null and not exists (select 1 from standpipe.process p where p.id = o.id)
limit 1

-- name: process_live
select id
from standpipe.process
where id = :id and lease_expires_at >= clock_timestamp()

-- name: process_lock
select id, name
from standpipe.process
where id = :id
for update

-- name: process_crash
-- Each task's state is read and written under its lock: one that was settled meanwhile is left alone.
with freed as (
  update standpipe.task
  set state = 0, owner = null, crashes = crashes + 1, seq = nextval('standpipe.task_seq')
  where owner = :id and state = 1
  returning run_id, node, idx, token, attempt
)
insert into standpipe.attempt (run_id, node, idx, token, attempt, process, outcome, elapsed_us)
select run_id, node, idx, token, attempt, :id, 'crashed', 0 from freed
