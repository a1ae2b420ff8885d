-- name: signal_wait
insert into standpipe.signal (run_id, node, idx, task_id)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3
from jsonb_each(:waits)
where true
on conflict (run_id, node, idx) do update set task_id = excluded.task_id
returning run_id, node, idx, task_id, value is not null as signaled

-- name: signal_wake
update standpipe.task as t
set state = {claimable(t)}, due_at = null,
    seq = 1 + w.ord + {last_seq(t.lane, t.priority)}
from (select key as ord, value ->> 0 as run, value ->> 1 as node, value ->> 2 as idx, value ->> 3 as task
      from jsonb_each(:waits)) w
where t.run_id = w.run and t.id = w.task and t.node = w.node and t.idx = w.idx and t.state = :state.scheduled
