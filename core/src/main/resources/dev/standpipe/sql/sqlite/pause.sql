-- name: pause_run
update standpipe.run set status = 'paused' where id = :run and status in ('running', 'waiting')

-- name: pause_resume_run
update standpipe.run set status = {resumed_as} where id = :run and status = 'paused'

-- name: pause_park
update standpipe.task as t
set lane = {parking_lane(t.lane)}
where t.run_id in (select value ->> 0 from jsonb_each(:runs)) and t.state in (:state.ready, :state.scheduled, :state.suspect)
  and not {is_parked(t)}

-- name: pause_unpark
update standpipe.task as task
set lane = p.lane,
    seq = p.place + {last_seq(p.lane, task.priority)}
from (select t.run_id, t.id, l.parks_for as lane, row_number() over (order by t.seq) as place
      from standpipe.task t join standpipe.lane l on l.id = t.lane
      where t.run_id = :run and l.parks_for is not null) p
where task.run_id = p.run_id and task.id = p.id

-- name: pause_resumed
select 1
from standpipe.run
where id in (select value ->> 0 from jsonb_each(:runs)) and status = 'running'

-- name: pause_unmark
delete from standpipe.pausing
where run_id = :run and not exists (select 1 from standpipe.task where run_id = :run and state = :state.leased)
