-- name: process_join
insert into standpipe.process (id, name, host, pid, crash_limit, lease_expires_at)
values (:id, :name, :host, :pid, :crash_limit, cast(unixepoch('subsec') * 1000000 as integer) + :lease_us)

-- name: process_serve
insert into standpipe.serving (process_id, lane)
select :id, value ->> 0 from jsonb_each(:lanes)

-- name: process_limit
insert into standpipe.crash_limit (process_id, lane, node, most)
select :id, value ->> 0, value ->> 1, value ->> 2 from jsonb_each(:limits)

-- name: process_renew
update standpipe.process
set lease_expires_at = cast(unixepoch('subsec') * 1000000 as integer) + :lease_us
where id = :id

-- name: process_release
update standpipe.task as task
set state = case when crashes >= 2 then 3 else 0 end, owner = null,
    seq = 1 + coalesce((select max(r.seq) from standpipe.task r
                        where r.lane = task.lane and r.priority = task.priority and r.state = 0), 0)
where owner = :id and state = 1

-- name: process_leave
delete from standpipe.process where id = :id

-- name: process_unserve
delete from standpipe.serving where process_id = :id

-- name: process_unlimit
delete from standpipe.crash_limit where process_id = :id

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
-- A task whose budget is spent marks its run, which is halted next. Others are ready at once for the
-- first third of their budget, and then wait, twice as long every time.
update standpipe.task as task
set state = case when h.crashes >= h.most then 4 when h.crashes > h.most / 3 then 2
                 when h.crashes >= 2 then 3 else 0 end,
    due_at = case when h.crashes > h.most / 3 and h.crashes < h.most
                  then cast(unixepoch('subsec') * 1000000 as integer)
                       + (1000000 << min(6, h.crashes - h.most / 3 - 1)) end,
    owner = null, crashes = h.crashes,
    seq = 1 + coalesce((select max(r.seq) from standpipe.task r
                        where r.lane = task.lane and r.priority = task.priority and r.state = 0), 0)
from (select t.run_id, t.id, t.crashes + 1 as crashes,
             coalesce(
               (select l.most from standpipe.crash_limit l
                where l.process_id = :id and l.lane = t.lane and l.node = t.node),
               (select p.crash_limit from standpipe.process p where p.id = :id),
               10) as most
      from standpipe.task t
      where t.owner = :id and t.state = 1) h
where task.run_id = h.run_id and task.id = h.id
returning run_id, node, idx, token, attempt, crashes, state = 4 as spent
