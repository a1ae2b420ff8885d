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
-- the process is locked first, so that a heartbeat that waits for it keeps nobody else waiting.
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
         {after_a_crash}
  from standpipe.task t
  where t.owner = :id and t.state = :state.leased
  order by t.run_id, t.id
  for update skip locked
),
freed as (
  update standpipe.task t
  set state = {state_after_a_crash},
      due_at = case when {waits_after_a_crash}
                    then clock_timestamp() + (1 << least(6, h.crashes - h.max_crashes / 3 - 1)) * interval '1 second' end,
      owner = null, crashes = h.crashes, max_suspects = h.max_suspects, seq = nextval('standpipe.task_seq')
  from held h
  where {is_task(h.run_id, h.id)}
  returning t.run_id, t.node, t.idx, t.token, t.attempt, t.crashes, t.state
),
recorded as (
  insert into standpipe.attempt (run_id, node, idx, token, attempt, process_id, outcome, elapsed_us)
  select run_id, node, idx, token, attempt, :id, 'crashed', 0 from freed
)
select run_id, node, idx, token, attempt, crashes, state = :state.halting as spent from freed
