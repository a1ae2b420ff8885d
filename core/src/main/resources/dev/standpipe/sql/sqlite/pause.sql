-- name: pause_run
update standpipe.run set status = 'paused' where id = :run and status in ('running', 'waiting')

-- name: pause_resume_run
update standpipe.run set status = {resumed_as} where id = :run and status = 'paused'

-- name: pause_park
update standpipe.task
set lane = -lane
where run_id in (select value ->> 0 from jsonb_each(:runs)) and lane > 0 and state in (:state.ready, :state.scheduled, :state.suspect)

-- name: pause_unpark
update standpipe.task as task
set lane = -task.lane,
    seq = p.place + {last_seq(-task.lane, task.priority)}
from (select run_id, id, row_number() over (order by seq) as place
      from standpipe.task
      where run_id = :run and lane < 0) p
where task.run_id = p.run_id and task.id = p.id

-- name: pause_resumed
select 1
from standpipe.run
where id in (select value ->> 0 from jsonb_each(:runs)) and status = 'running'

-- name: pause_unmark
delete from standpipe.pausing
where run_id = :run and not exists (select 1 from standpipe.task where run_id = :run and state = :state.leased)
