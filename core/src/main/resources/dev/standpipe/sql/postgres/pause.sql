-- Pausing. A run that is paused has a time in paused_at, and its tasks that nobody holds are parked: in a lane that
-- nobody serves. Whatever of it is in its own lane all the same is claimed, seen to be paused and given back, which
-- parks it. See docs/decisions/012.

-- name: pause_run
with paused as (
  update standpipe.run set paused_at = clock_timestamp() where id = :run and status = 'running' and paused_at is null
  returning id
)
insert into standpipe.stopped (run_id) select id from paused

-- name: pause_resume_run
with resumed as (
  update standpipe.run set paused_at = null where id = :run and status = 'running' and paused_at is not null
  returning id
)
delete from standpipe.stopped s using resumed where s.run_id = resumed.id

-- name: pause_park
-- Waits for nobody, since it comes after arrivals: whoever holds a task that is passed by here parks it, or finds
-- when it is claimed that the run is paused.
update standpipe.task t
set lane = -t.lane
where t.lane > 0
  and t.ctid = any (array(
    select ctid
    from standpipe.task
    where run_id = any (:runs.run::uuid[]) and lane > 0 and state in (:state.ready, :state.scheduled, :state.suspect)
    for update skip locked
  ))

-- name: pause_unpark
-- In their old places they would be behind those who claim.
update standpipe.task set lane = -lane, seq = nextval('standpipe.task_seq') where run_id = :run and lane < 0

-- name: pause_resumed
-- Keeps those that are paused so until this transaction ends: who resumes one then finds what was parked here.
select 1
from (select status, paused_at from standpipe.run where id = any (:runs.run::uuid[]) order by id for share) r
where r.status = 'running' and r.paused_at is null

-- name: pause_mark
insert into standpipe.pausing (run_id)
select :run::uuid
where exists (select 1 from standpipe.task where run_id = :run and state = :state.leased)
on conflict do nothing

-- name: pause_unmark
-- Whoever ends a run that is being paused may not see that it is stopped.
with ended as (
  delete from standpipe.stopped s
  using standpipe.run r
  where s.run_id = :run and r.id = s.run_id and r.finished_at is not null
)
delete from standpipe.pausing
where run_id = :run and not exists (select 1 from standpipe.task where run_id = :run and state = :state.leased)

-- name: pause_forget
delete from standpipe.pausing where run_id = :run

-- name: pause_look
-- What is not to be taken: lanes, and runs of which somebody may still hold something.
select d.id as lane, null::uuid as run_id
from standpipe.pause p join standpipe.definition d on d.pipeline = p.pipeline and p.lane in (0, d.id)
where p.resumed_at is null
union all
select null, run_id from standpipe.pausing

-- name: pause_lane
insert into standpipe.pause (pipeline, lane, paused_by, pause_reason)
values (:pipeline, :lane, :actor, :reason)
on conflict do nothing

-- name: pause_resume_lane
update standpipe.pause
set resumed_at = clock_timestamp(), resumed_by = :actor, resume_reason = :reason
where pipeline = :pipeline and lane = :lane and resumed_at is null

-- name: pause_list
select p.pipeline, d.hash, p.paused_by, p.pause_reason, (extract(epoch from p.paused_at) * 1000000)::bigint as paused_us
from standpipe.pause p left join standpipe.definition d on d.id = p.lane
where p.resumed_at is null
order by p.pipeline, p.lane
