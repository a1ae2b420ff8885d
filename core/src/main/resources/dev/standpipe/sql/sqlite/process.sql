-- name: process_serve
insert into standpipe.serving (process_id, lane)
select :id, value ->> 0 from jsonb_each(:lanes)

-- name: process_limit
insert into standpipe.crash_limit (process_id, lane, node, max_crashes)
select :id, value ->> 0, value ->> 1, value ->> 2 from jsonb_each(:limits)

-- name: process_renew
update standpipe.process
set lease_expires_at = {now} + :lease_us, lease_us = :lease_us
where id = :id

-- name: process_heard_of
-- Half a lease is three beats: if nobody was heard of for that long, nobody could reach the database, and all who live are to
-- have a lease's time from now on. Of one that ends its lease nothing is expected.
insert into standpipe.heartbeat as h (id, steady_since, expected_by)
select 1, {now}, {now} + lease_us / 2
from standpipe.process
where id = :id
on conflict (id) do update
set steady_since = case when h.expected_by < excluded.steady_since then excluded.steady_since
                        else min(h.steady_since, excluded.steady_since) end,
    expected_by = case when excluded.expected_by > excluded.steady_since then excluded.expected_by else h.expected_by end

-- name: process_orphaned
-- A claim that was waiting for its turn while its process was reaped leased tasks to nobody.
with recursive owners (id) as (
  select min(owner) from standpipe.task where state = :state.leased
  union all
  select (select min(t.owner) from standpipe.task t where t.state = :state.leased and t.owner > o.id)
  from owners o
  where o.id is not null
)
select o.id, 'unknown' as name
from owners o
where o.id is not null and not exists (select 1 from standpipe.process p where p.id = o.id)
limit 1

-- name: process_crash_attempts
insert into standpipe.attempt (run_id, node, idx, token, attempt, process_id, outcome, elapsed_us)
select run_id, node, idx, token, attempt, :id, 'crashed', 0
from standpipe.task
where owner = :id and state = :state.leased

-- name: process_crash
-- A task whose budget is spent marks its run, which is halted next. Others are ready at once for the
-- first third of their budget, and then wait, twice as long every time.
-- A suspect that was claimed with others is not charged: next time it is with half as many.
-- The limits are those of the process that held it. If nobody knows them any more, those who serve the step now say what it
-- may use up. What is not counted does not wait either.
update standpipe.task as task
set state = {state_after_a_crash},
    due_at = case when {waits_after_a_crash}
                  then {now}
                       + (1000000 << min(6, h.crashes - h.max_crashes / 3 - 1)) end,
    owner = null, crashes = h.crashes, max_suspects = h.max_suspects,
    seq = {next_seq(task)}
from (select t.run_id, t.id,
             {after_a_crash}
      from standpipe.task t
      where t.owner = :id and t.state = :state.leased) h
where task.run_id = h.run_id and task.id = h.id
returning run_id, node, idx, token, attempt, crashes, state = :state.halting as spent
