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
