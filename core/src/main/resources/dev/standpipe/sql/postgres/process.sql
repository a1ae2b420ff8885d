-- name: process_join
insert into standpipe.process (id, name, host, pid, crash_limit, lease_expires_at)
values (:id, :name, :host, :pid, :crash_limit, clock_timestamp() + :lease_us * interval '1 microsecond')

-- name: process_serve
insert into standpipe.serving (process_id, lane)
select :id, lane from unnest(:lanes.lane::integer[]) as l (lane)

-- name: process_limit
insert into standpipe.crash_limit (process_id, lane, node, most)
select :id, lane, node, most
from unnest(:limits.lane::integer[], :limits.node::text[], :limits.most::integer[]) as l (lane, node, most)

-- name: process_renew
update standpipe.process
set lease_expires_at = clock_timestamp() + :lease_us * interval '1 microsecond'
where id = :id

-- name: process_release
update standpipe.task
set state = case when crashes >= 2 then 3 else 0 end, owner = null, seq = nextval('standpipe.task_seq')
where owner = :id and state = 1

-- name: process_leave
delete from standpipe.process where id = :id

-- name: process_unserve
delete from standpipe.serving where process_id = :id

-- name: process_unlimit
delete from standpipe.crash_limit where process_id = :id

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

-- name: process_settling
-- Waits for one task that was passed by, holding nothing.
select 1
from standpipe.task
where owner = :id and state = 1
limit 1
for update

-- name: process_crash
-- Each task's state is read and written under its lock: one that was settled meanwhile is left alone.
-- A task whose budget is spent marks its run, which is halted next. Others are ready at once for the
-- first third of their budget, and then wait, twice as long every time. What is just being settled is
-- passed by: a settlement locks tasks that stay before those that go, whatever their order.
with held as materialized (
  select t.run_id, t.id, t.crashes + 1 as crashes,
         coalesce(
           (select l.most from standpipe.crash_limit l
            where l.process_id = :id and l.lane = t.lane and l.node = t.node),
           (select p.crash_limit from standpipe.process p where p.id = :id),
           10) as most
  from standpipe.task t
  where t.owner = :id and t.state = 1
  order by t.run_id, t.id
  for update skip locked
),
freed as (
  update standpipe.task t
  set state = case when h.crashes >= h.most then 4 when h.crashes > h.most / 3 then 2
                   when h.crashes >= 2 then 3 else 0 end,
      due_at = case when h.crashes > h.most / 3 and h.crashes < h.most
                    then clock_timestamp() + (1 << least(6, h.crashes - h.most / 3 - 1)) * interval '1 second' end,
      owner = null, crashes = h.crashes, seq = nextval('standpipe.task_seq')
  from held h
  where (t.run_id, t.id) >= (h.run_id, h.id) and (t.run_id, t.id) <= (h.run_id, h.id)
  returning t.run_id, t.node, t.idx, t.token, t.attempt, t.crashes, t.state
),
recorded as (
  insert into standpipe.attempt (run_id, node, idx, token, attempt, process, outcome, elapsed_us)
  select run_id, node, idx, token, attempt, :id, 'crashed', 0 from freed
)
select run_id, node, idx, token, attempt, crashes, state = 4 as spent from freed
