-- name: run_rerun
insert into standpipe.rerun (run_id, original_run_id) values (:run, :original)

-- name: run_fork
insert into standpipe.rerun (run_id, original_run_id, node) values (:run, :original, :node)

-- name: fork_context
-- Only what was set by steps whose results were taken over: those that run again set it again.
insert into standpipe.context (run_id, key, value, replaces, node, idx, token)
select :run, c.key, c.value, c.replaces, c.node, c.idx, 0
from standpipe.context c
where c.run_id = :original
  and exists (select 1 from standpipe.result r
              where r.run_id = :run and r.node = c.node and r.idx in (c.idx, {own_index(c.idx)}) and r.outcome = :outcome.succeeded)

-- name: fork_edit
update standpipe.result
set value = :value
where run_id = :run and node = :node and idx = 0 and outcome = :outcome.succeeded

-- fragment: only_markers_are_left
not exists (select 1 from standpipe.task t where t.run_id = :run and t.state <> :state.halting)

-- name: run_unmark
-- The markers go when nothing else is left. The process that removed the last task looks after committing.
delete from standpipe.task
where run_id = :run and state = :state.halting
  and {only_markers_are_left}

-- name: run_uncancel
delete from standpipe.canceling
where run_id = :run
  and {only_markers_are_left}

-- name: run_forget_cut_off
delete from standpipe.cut_off where process_id = :owner and run_id = :run and task_id = :task and token = :token

-- name: run_cut_off_by
-- One that a deadline has stopped before is there already, and may be about to go: it is not waited for.
insert into standpipe.canceling (run_id, cut_off_at)
select {typed(:run, uuid)}, {now} + {duration(:grace_us)}
where not exists (select 1 from standpipe.canceling where run_id = :run)

-- name: run_next_deadline
select {time_left(min(due_at))} as due_us
from standpipe.deadline
having min(due_at) is not null

-- name: run_overdue
select run_id from standpipe.deadline where due_at <= {now} order by due_at limit :limit

-- name: run_forget_deadline
delete from standpipe.deadline where run_id = :run

-- name: run_stopped
-- Of these runs, those that did not succeed.
select r.id
from {listed_runs}
where r.status <> 'succeeded'

-- name: run_stopping
-- Of these runs, those that are on their way to their end.
select r.id
from {listed_runs}
where {is_stopping(r.status)}
