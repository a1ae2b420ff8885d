-- What is read of runs. Nothing here writes or locks.
-- Runs by what is true of them; hidden pipelines, which have a dollar in their names, by these alone. They are read in the order of their ids, which is that of their starts.

-- fragment: first_runs(beyond, direction)
-- Those that a filter lets through, or the first of them, as r. Who asks for rare statuses alone finds them by their index; with a common one
-- among them runs are read in the order of their ids, until there are enough.
(
  select *
  from standpipe.run r
  where {has_rare_status} and {beyond} and {matches}
  union all
  select *
  from (
    select *
    from (select * from standpipe.run r where {beyond} order by r.id {direction} {fence}) r
    where {has_status} and {matches}
    order by r.id {direction}
    limit :limit
  ) s
) r

-- name: run_count
select (select count(*) from standpipe.run r where {has_rare_status} and {matches})
       + case when {some_status} then (select count(*) from standpipe.run r where {has_status} and {matches}) else 0 end as n,
       {micros({now})} as now_us

-- name: run_select
select r.id
from {first_runs(r.id > :after, asc)}
order by r.id
limit :limit

-- name: run_lane
select lane from standpipe.run where id = :run

-- name: run_retry_limit
select max_retries from standpipe.retry_limit where run_id = :run and node = :node

-- name: run_steps
select s.node, s.idx, s.state, s.attempt, s.crashes, s.token, coalesce(c.calls, 0) as sub_steps,
       1 + coalesce((select max(t.turn) from standpipe.turn t
                     where t.run_id = s.run_id and t.node = s.node and t.idx = s.idx), 0) as turn,
       p.done, p.total, p.note, {micros(p.reported_at)} as reported_us
from standpipe.step s
     left join (select node, idx, count(*) as calls from standpipe.substep where run_id = :run group by node, idx) c
       on c.node = s.node and c.idx = s.idx
     left join standpipe.progress p on p.run_id = s.run_id and p.node = s.node and p.idx = s.idx
where s.run_id = :run
order by s.node, s.idx

-- name: run_substeps
select key, token, {micros(written_at)} as written_us
from standpipe.substep
where run_id = :run and node = :node and idx = :idx
order by written_at, key

-- name: run_turns
select turn, value, attempt, token, {micros(finished_at)} as finished_us, elapsed_us
from standpipe.turn
where run_id = :run and node = :node and idx = :idx
order by turn

-- name: run_attempts
select node, idx, token, attempt, outcome, process_id, {micros(finished_at)} as finished_us, elapsed_us,
       error_type, error, trace
from standpipe.attempt
where run_id = :run
union all
select node, {index_of_step(idx)}, token, attempt, 'succeeded', process_id,
       {micros(finished_at)}, elapsed_us, null, null, null
from standpipe.result
where run_id = :run and outcome = :outcome.succeeded and attempt > 0
order by finished_us, node, idx, token

-- name: run_decisive
select node, idx, token, attempt, outcome, process_id, {micros(finished_at)} as finished_us, elapsed_us,
       error_type, error, trace
from standpipe.attempt
where run_id = :run and node = :node and outcome <> 'snoozed'
order by finished_at desc, idx desc, token desc
limit 1

-- name: run_failed
select node, {index_of_step(idx)} as idx
from standpipe.result
where run_id = :run and outcome = :outcome.failed and attempt > 0
order by node, idx
limit :limit

-- name: run_value
select value
from standpipe.result
where run_id = :run and node = :node and idx = :idx and outcome = :outcome.succeeded

-- name: run_output
select value from standpipe.finish where run_id = :run
union all
select value
from standpipe.result
where run_id = :run and node = :node and idx = 0 and outcome = :outcome.succeeded
  and not exists (select 1 from standpipe.finish where run_id = :run)

-- name: run_halting
select run_id from standpipe.task where state = :state.halting and run_id > :after
union
select run_id from standpipe.canceling where run_id > :after
order by run_id
limit :limit

-- name: run_unwanted
select run_id, {typed(null, bigint)} as task_id, {typed(null, bigint)} as token from standpipe.canceling
union all
select run_id, task_id, token from standpipe.cut_off where process_id = :owner
