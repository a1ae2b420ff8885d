-- fragment: waits
unnest(:waits.run::uuid[], :waits.node::text[], :waits.idx::integer[], :waits.task::bigint[])
     as w (run, node, idx, task)

-- name: signal_wait
-- Blocks while the very await is being signaled, and then knows of it.
insert into standpipe.signal as s (run_id, node, idx, task_id)
select w.run, w.node, w.idx, w.task
from {waits}
order by w.run, w.node, w.idx
on conflict (run_id, node, idx) do update set task_id = excluded.task_id
returning s.run_id, s.node, s.idx, s.task_id, s.value is not null as signaled

-- name: signal_wake
update standpipe.task t
set state = {claimable(t)}, due_at = null, seq = nextval('standpipe.task_seq')
from {waits}
where {is_task(w.run, w.task)}
  and t.node = w.node and t.idx = w.idx and t.state + 0 = :state.scheduled
