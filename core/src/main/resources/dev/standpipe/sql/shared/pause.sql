-- Pausing. The tasks of a run that is paused and that nobody holds are parked: in the lane that parks for theirs, which nobody
-- serves. A task of it that is in its own lane all the same is claimed, seen to be paused and given back, which parks it. See
-- docs/decisions/012.

-- fragment: parking_lane(lane)
-- Where tasks of that lane are parked.
(select p.id from standpipe.lane p where p.parks_for = {lane})

-- fragment: resumed_as
-- What it was before, unless those it waited for have succeeded meanwhile.
case when exists (select 1 from standpipe.chained c where c.run_id = :run) then 'waiting' else 'running' end

-- name: pause_mark
insert into standpipe.pausing (run_id)
select {typed(:run, uuid)}
where exists (select 1 from standpipe.task where run_id = :run and state = :state.leased)
on conflict do nothing

-- name: pause_forget
delete from standpipe.pausing where run_id = :run

-- name: pause_look
-- What is not to be taken: lanes, and runs of which somebody may still hold something.
select l.id as lane, {typed(null, uuid)} as run_id
from standpipe.pause p
     join standpipe.definition d on d.pipeline = p.pipeline
     join standpipe.lane l on l.definition_id = d.id and l.parks_for is null and (p.lane is null or p.lane = l.id)
where p.resumed_at is null
union all
select null, run_id from standpipe.pausing

-- name: pause_lanes
insert into standpipe.pause (pipeline, lane, paused_by, pause_reason)
values (:pipeline, {typed(:lane, integer)}, :actor, :reason)
on conflict do nothing

-- name: pause_resume_lanes
update standpipe.pause
set resumed_at = {now}, resumed_by = :actor, resume_reason = :reason
where pipeline = :pipeline and lane is not distinct from {typed(:lane, integer)} and resumed_at is null

-- name: pause_list
select p.pipeline, d.hash, p.paused_by, p.pause_reason, {micros(p.paused_at)} as paused_us
from standpipe.pause p
     left join standpipe.lane l on l.id = p.lane
     left join standpipe.definition d on d.id = l.definition_id
where p.resumed_at is null
order by p.pipeline, p.lane is not null, p.lane
