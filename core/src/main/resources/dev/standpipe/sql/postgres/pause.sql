-- name: pause_run
with paused as (
  update standpipe.run set status = 'paused' where id = :run and status in ('running', 'waiting')
  returning id
)
insert into standpipe.stopped (run_id) select id from paused

-- name: pause_resume_run
with resumed as (
  update standpipe.run set status = {resumed_as} where id = :run and status = 'paused'
  returning id
)
delete from standpipe.stopped s using resumed where s.run_id = resumed.id

-- name: pause_park
-- Waits for nobody, since it comes after arrivals: the process that holds a task that is passed by here parks it, or finds
-- when it claims the task that the run is paused.
update standpipe.task t
set lane = {parking_lane(t.lane)}
where t.ctid = any (array(
    select q.ctid
    from standpipe.task q
    where q.run_id = any (:runs.run::uuid[]) and q.state in (:state.ready, :state.scheduled, :state.suspect)
      and not {is_parked(q)}
    for update of q skip locked
  ))

-- name: pause_unpark
-- In their old places they would be behind those who claim.
update standpipe.task t
set lane = l.parks_for, seq = nextval('standpipe.task_seq')
from standpipe.lane l
where t.run_id = :run and l.id = t.lane and l.parks_for is not null

-- name: pause_resumed
-- Keeps those that are paused so until this transaction ends: who resumes one then finds what was parked here.
select 1
from (select status from standpipe.run where id = any (:runs.run::uuid[]) order by id for share) r
where r.status = 'running'

-- name: pause_unmark
-- The transaction that ends a run that is being paused may not see that it is stopped.
with {unlist_ended}
delete from standpipe.pausing
where run_id = :run and not exists (select 1 from standpipe.task where run_id = :run and state = :state.leased)
