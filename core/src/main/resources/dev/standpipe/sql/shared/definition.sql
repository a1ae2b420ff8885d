-- fragment: with_lane
-- Definitions d, each with the lane l that its runs are started in.
standpipe.definition d join standpipe.lane l on l.definition_id = d.id and l.queue = {default_queue}

-- name: lane_register
insert into standpipe.lane (definition_id, queue)
values (:definition, {default_queue})
on conflict (definition_id, queue) do update set queue = excluded.queue
returning id

-- name: lane_register_parking
-- Tasks of paused runs are parked here.
insert into standpipe.lane (definition_id, parks_for)
values (:definition, :lane)
on conflict (parks_for) do nothing

-- name: definition_newest
select l.id as lane, d.hash, d.graph
from {with_lane}
where d.pipeline = :pipeline
order by d.served_at desc
limit 1

-- name: definition_all
select l.id as lane, d.hash, d.graph
from {with_lane}
where d.pipeline = :pipeline
order by d.served_at desc, d.id desc

-- name: definition_by_lane
select l.id as lane, d.hash, d.graph
from standpipe.lane l join standpipe.definition d on d.id = l.definition_id
where l.id = :lane and l.parks_for is null

-- name: definition_unserved
select l.id as lane, d.pipeline, d.hash
from standpipe.lane l join standpipe.definition d on d.id = l.definition_id
where l.parks_for is null
  and not exists (select 1 from standpipe.serving s where s.lane = l.id)
  and (exists (select 1 from standpipe.task t where t.lane = l.id and t.state = :state.ready)
       or exists (select 1 from standpipe.task t where t.lane = l.id and t.state = :state.suspect))

-- name: definition_in_flight
-- A run that has not ended has a task, in its lane or parked.
select l.id as lane, d.hash, d.graph, r.runs
from {with_lane}
     join (select k.definition_id, count(distinct t.run_id) as runs
           from {live} t join standpipe.lane k on k.id = t.lane
           group by k.definition_id) r on r.definition_id = d.id
order by d.pipeline, d.id

-- name: lane_there
select l.id from {known_lane}
