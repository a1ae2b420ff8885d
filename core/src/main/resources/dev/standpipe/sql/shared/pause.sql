-- Pausing. The tasks of a run that is paused and that nobody holds are parked: in a lane that nobody serves. Whatever of it is in its own lane all the same is claimed, seen to be paused and given back, which
-- parks it. See docs/decisions/012.

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
select d.id as lane, {typed(null, uuid)} as run_id
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
set resumed_at = {now}, resumed_by = :actor, resume_reason = :reason
where pipeline = :pipeline and lane = :lane and resumed_at is null

-- name: pause_list
select p.pipeline, d.hash, p.paused_by, p.pause_reason, {micros(p.paused_at)} as paused_us
from standpipe.pause p left join standpipe.definition d on d.id = p.lane
where p.resumed_at is null
order by p.pipeline, p.lane
