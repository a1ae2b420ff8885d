-- name: process_join
insert into standpipe.process (id, name, host, pid, lease_expires_at)
values (:id, :name, :host, :pid, cast(unixepoch('subsec') * 1000000 as integer) + :lease_us)

-- name: process_serve
insert into standpipe.serving (process_id, lane)
select :id, value ->> 0 from jsonb_each(:lanes)

-- name: process_renew
update standpipe.process
set lease_expires_at = cast(unixepoch('subsec') * 1000000 as integer) + :lease_us
where id = :id

-- name: process_release
update standpipe.task as task
set state = 0, owner = null,
    seq = 1 + coalesce((select max(r.seq) from standpipe.task r
                        where r.lane = task.lane and r.priority = task.priority and r.state = 0), 0)
where owner = :id and state = 1

-- name: process_leave
delete from standpipe.process where id = :id

-- name: process_unserve
delete from standpipe.serving where process_id = :id

-- name: process_expired
select id, name
from standpipe.process
where lease_expires_at < cast(unixepoch('subsec') * 1000000 as integer)
order by id
limit 1

-- name: process_orphaned
-- A claim that was waiting for its turn while its process was reaped leased tasks to nobody.
with recursive owners (id) as (
  select min(owner) from standpipe.task where state = 1
  union all
  select (select min(t.owner) from standpipe.task t where t.state = 1 and t.owner > o.id)
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
where id = :id and lease_expires_at >= cast(unixepoch('subsec') * 1000000 as integer)

-- name: process_lock
select id, name
from standpipe.process
where id = :id

-- name: process_crash_attempts
insert into standpipe.attempt (run_id, node, idx, token, attempt, process, outcome, elapsed_us)
select run_id, node, idx, token, attempt, :id, 'crashed', 0
from standpipe.task
where owner = :id and state = 1

-- name: process_crash
update standpipe.task as task
set state = 0, owner = null, crashes = crashes + 1,
    seq = 1 + coalesce((select max(r.seq) from standpipe.task r
                        where r.lane = task.lane and r.priority = task.priority and r.state = 0), 0)
where owner = :id and state = 1
