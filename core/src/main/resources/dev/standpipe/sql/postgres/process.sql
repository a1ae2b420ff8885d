-- name: process_join
insert into standpipe.process (id, name, host, pid, crash_limit, lease_us, lease_expires_at)
values (:id, :name, :host, :pid, :crash_limit, :lease_us, clock_timestamp() + :lease_us * interval '1 microsecond')

-- name: process_serve
insert into standpipe.serving (process_id, lane)
select :id, lane from unnest(:lanes.lane::integer[]) as l (lane)

-- name: process_limit
insert into standpipe.crash_limit (process_id, lane, node, max_crashes)
select :id, lane, node, max_crashes
from unnest(:limits.lane::integer[], :limits.node::text[], :limits.most::integer[]) as l (lane, node, max_crashes)

-- name: process_renew
-- Notes as well that somebody was heard of. Half a lease is three beats: if nobody was for that long, nobody could reach the
-- database, and all who live are to have a lease's time from now on. Of one that ends its lease nothing is expected. The row of
-- the process is locked first, so that whoever waits for it keeps nobody else waiting.
with renewed as (
  update standpipe.process
  set lease_expires_at = clock_timestamp() + :lease_us * interval '1 microsecond', lease_us = :lease_us
  where id = :id
  returning lease_us
)
insert into standpipe.heartbeat as h (id, steady_since, expected_by)
select 1, clock_timestamp(), clock_timestamp() + lease_us / 2 * interval '1 microsecond' from renewed
on conflict (id) do update
set steady_since = case when h.expected_by < excluded.steady_since then excluded.steady_since
                        else least(h.steady_since, excluded.steady_since) end,
    expected_by = case when :lease_us > 0 then excluded.expected_by else h.expected_by end

-- name: process_release
update standpipe.task
set state = case when crashes >= 2 then :state.suspect else :state.ready end, owner = null, seq = nextval('standpipe.task_seq')
where owner = :id and state = :state.leased

-- name: process_leave
delete from standpipe.process where id = :id

-- name: process_unserve
delete from standpipe.serving where process_id = :id

-- name: process_unlimit
delete from standpipe.crash_limit where process_id = :id

-- name: process_forget_cut_off
-- Nobody is left who could interrupt them.
delete from standpipe.cut_off
where process_id = :id or not exists (select 1 from standpipe.process p where p.id = process_id)

-- name: process_expired
-- Holding the row keeps the process from renewing, and other reapers off it, until this ends. Whoever has not renewed has
-- had a lease's time in which others could, up to this moment: an outage of the database is nobody's death.
select p.id, p.name
from standpipe.process p
where p.lease_expires_at < clock_timestamp()
  and p.id <> :by
  and exists (select 1 from standpipe.heartbeat h
              where h.expected_by >= clock_timestamp()
                and h.steady_since + p.lease_us * interval '1 microsecond' <= clock_timestamp())
order by p.id
limit 1
for update of p skip locked

-- name: process_orphaned
-- A claim, a start or a settlement that was under way while its process was reaped may have leased
-- tasks to it that the reaper could not see. Finds one owner that is no process any more, going from
-- owner to owner through the index instead of reading every leased task.
with recursive owners (id) as (
  (select owner from standpipe.task where state = :state.leased order by owner limit 1)
  union all
  select (select t.owner from standpipe.task t where t.state = :state.leased and t.owner > o.id order by t.owner limit 1)
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
where owner = :id and state = :state.leased
limit 1
for update

-- name: process_crash
-- Each task's state is read and written under its lock: one that was settled meanwhile is left alone.
-- A task whose budget is spent marks its run, which is halted next. Others are ready at once for the
-- first third of their budget, and then wait, twice as long every time. What is just being settled is
-- passed by: a settlement locks tasks that stay before those that go, whatever their order.
-- A suspect that was claimed with others is not charged: next time it is with half as many.
-- The limits are those of the process that held it. If nobody knows them any more, those who serve the step now say what it
-- may use up. What is not counted does not wait either.
with held as materialized (
  select t.run_id, t.id,
         t.crashes + case when t.crashes >= 2 and t.max_suspects > 1 then 0 else :counted end as crashes,
         case when t.crashes < 2 then null when t.max_suspects > 1 then t.max_suspects / (1 + :counted) else 1 end as max_suspects,
         t.crashes >= 2 and t.max_suspects > 1 as spared,
         coalesce(
           (select l.max_crashes from standpipe.crash_limit l
            where l.process_id = :id and l.lane = t.lane and l.node = t.node),
           (select p.crash_limit from standpipe.process p where p.id = :id),
           (select max(coalesce(l.max_crashes, p.crash_limit))
            from standpipe.serving s
                 join standpipe.process p on p.id = s.process_id
                 left join standpipe.crash_limit l
                   on l.process_id = s.process_id and l.lane = s.lane and l.node = t.node
            where s.lane = t.lane)) as max_crashes
  from standpipe.task t
  where t.owner = :id and t.state = :state.leased
  order by t.run_id, t.id
  for update skip locked
),
freed as (
  update standpipe.task t
  set state = case when h.spared then :state.suspect when h.crashes >= h.max_crashes then :state.halting
                   when :counted = 1 and h.crashes > h.max_crashes / 3 then :state.scheduled
                   when h.crashes >= 2 then :state.suspect else :state.ready end,
      due_at = case when h.spared is not true and :counted = 1 and h.crashes > h.max_crashes / 3 and h.crashes < h.max_crashes
                    then clock_timestamp() + (1 << least(6, h.crashes - h.max_crashes / 3 - 1)) * interval '1 second' end,
      owner = null, crashes = h.crashes, max_suspects = h.max_suspects, seq = nextval('standpipe.task_seq')
  from held h
  where (t.run_id, t.id) >= (h.run_id, h.id) and (t.run_id, t.id) <= (h.run_id, h.id)
  returning t.run_id, t.node, t.idx, t.token, t.attempt, t.crashes, t.state
),
recorded as (
  insert into standpipe.attempt (run_id, node, idx, token, attempt, process_id, outcome, elapsed_us)
  select run_id, node, idx, token, attempt, :id, 'crashed', 0 from freed
)
select run_id, node, idx, token, attempt, crashes, state = :state.halting as spent from freed
