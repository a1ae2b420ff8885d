-- name: task_elements
select idx, value
from standpipe.result
where run_id = :run and node = :node and idx between :from and :to and outcome in (:outcome.succeeded, :outcome.failed, :outcome.element)
order by idx
limit :limit

-- name: task_last_element
select idx
from standpipe.result
where run_id = :run and node = :node and idx between :from and :to and outcome = :outcome.element
order by idx desc
limit 1

-- name: task_ended
select 1 from standpipe.result where run_id = :run and node = :node and idx in (:idx, {own_index(:idx)})

-- name: task_context
select value from standpipe.context where run_id = :run and key = :key

-- name: task_waited
select exists (select 1 from standpipe.attempt
               where run_id = :run and node = :node and idx = :idx and outcome = 'snoozed') as snoozed,
       {micros({now})} as now_us

-- name: task_succeeded
-- What a fork has taken over was not done by it.
select idx
from standpipe.result
where run_id = :run and node = :node and idx >= 0 and outcome = :outcome.succeeded and attempt > 0
order by idx

-- name: task_held
select run_id, id, token from standpipe.task where owner = :owner and state = :state.leased

-- name: task_recorded
-- A crash is what a reaper recorded, a cancel what an operator did: the settlement that is asked about did not take effect.
select exists (
         select 1 from standpipe.result r
         where r.run_id = k.run and r.node = k.node and r.idx in (k.idx, {own_index(k.idx)}) and r.token = k.token)
    or exists (
         select 1 from standpipe.attempt a
         where a.run_id = k.run and a.node = k.node and a.idx = k.idx and a.token = k.token
           and a.outcome not in ('crashed', 'canceled'))
    or exists (
         select 1 from standpipe.turn t
         where t.run_id = k.run and t.node = k.node and t.idx = k.idx and t.token = k.token)
       as recorded
from {settled_keys}
order by k.ord

-- name: task_next_due
select {time_left(min(due_at))} as due_us
from standpipe.task
where state = :state.scheduled
having min(due_at) is not null
