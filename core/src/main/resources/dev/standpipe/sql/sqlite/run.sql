-- name: run_start
insert into standpipe.run (id, pipeline, lane, priority, key, key_hash, labels, followed)
select value ->> 0, :pipeline, :lane, value ->> 3, value ->> 1, value ->> 2, value ->> 4, value ->> 8
from jsonb_each(:runs)
where exists (select 1 from {known_lane})
on conflict do nothing
returning id

-- name: run_start_results
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, value)
select value ->> 0, :node.input, 0, :outcome.succeeded, 0, 0, 0, value ->> 5
from jsonb_each(:runs)
where value ->> 5 is not null

-- name: run_start_tasks
-- A process without a row gets nothing: what was to be leased to it is ready.
insert into standpipe.task
  (run_id, id, node, idx, lane, priority, state, owner, token, due_at, attempt, crashes, seq)
select i.run, e.value ->> 1, e.value ->> 0, 0, :lane, i.priority,
       case when i.owner is not null then :state.leased when i.delay_us > 0 then :state.scheduled else :state.ready end,
       i.owner,
       i.owner is not null,
       case when i.owner is null and i.delay_us > 0
            then {now} + i.delay_us end,
       1, 0,
       1 + i.ord + {last_seq(:lane, i.priority)}
from (select key as ord, value ->> 0 as run, value ->> 3 as priority, value ->> 6 as delay_us,
             (select p.id from standpipe.process p where p.id = value ->> 7) as owner
      from jsonb_each(:runs)) i
     cross join jsonb_each(:entries) e

-- name: fork_results
-- Taken over, not tried: attempt and token are 0, as those of an input.
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, finished_at, value)
select :run, node, idx, outcome, 0, 0, 0, finished_at, value
from standpipe.result
where run_id = :original and outcome in (:outcome.succeeded, :outcome.element, :outcome.skipped) and node <> :node.input and node not in (select value ->> 0 from jsonb_each(:redone))

-- name: fork_skips
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us)
select :run, value ->> 0, value ->> 1, :outcome.skipped, 0, 0, 0
from jsonb_each(:skips)

-- name: run_put_off
-- What waited for a time goes on doing so if the run is brought back; what waited for another try, a signal or
-- another run does not.
insert into standpipe.put_off (run_id, node, idx, due_at)
select t.run_id, t.node, t.idx, t.due_at
from standpipe.task t
where t.run_id = :run and t.state = :state.scheduled
  and exists (select 1 from standpipe.run r
              where r.id = :run and {is_stopping(r.status)} and r.status <> 'finishing')
  and {waits_for_a_time(t)}
on conflict (run_id, node, idx) do update set due_at = excluded.due_at

-- name: run_clear
delete from standpipe.task
where run_id = :run and state in (:state.ready, :state.scheduled, :state.suspect)
  and exists (select 1 from standpipe.run r where r.id = :run and {is_stopping(r.status)})

-- name: run_cut_off_attempts
insert into standpipe.attempt (run_id, node, idx, token, attempt, process_id, outcome, elapsed_us)
select run_id, node, idx, token, attempt, owner, 'canceled', 0
from standpipe.task
where run_id = :run and state = :state.leased
  and {grace_is_over}

-- name: run_cut_off_told
-- The processes that run them are told, and interrupt them.
insert into standpipe.cut_off (process_id, run_id, task_id, token)
select t.owner, t.run_id, t.id, t.token
from standpipe.task t
where t.run_id = :run and t.state = :state.leased
  and exists (select 1 from standpipe.process p where p.id = t.owner)
  and {grace_is_over}
on conflict do nothing

-- name: run_cut_off
-- Bodies that have not ended within the grace of a cancel or a deadline: whatever they still write is stale.
delete from standpipe.task
where run_id = :run and state = :state.leased
  and {grace_is_over}

-- name: run_halted
update standpipe.run as r
set status = {ended_for(r.halt_reason)},
    halt_reason = nullif(r.halt_reason, 'finished'), finished_at = {now}
where r.id = :run and {is_stopping(r.status)}
returning id as run_id, followed > :followed.by_nothing as followed

-- name: run_cancel
update standpipe.run
set status = 'canceling', halt_reason = 'canceled', halt_node = null
where id = :run and ({goes_on(status)} or status = 'halting')

-- name: run_deadlines
insert into standpipe.deadline (run_id, due_at)
select value ->> 0, {now} + (value ->> 1)
from jsonb_each(:deadlines)

-- name: run_expire
update standpipe.run
set status = 'halting', halt_reason = 'deadline', halt_node = null
where id = :run and {goes_on(status)}
