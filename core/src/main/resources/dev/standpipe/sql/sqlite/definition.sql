-- name: definition_register
-- The clock ticks in milliseconds: of two registered within one, the later must still be the newest.
insert into standpipe.definition (hash, pipeline, graph, served_at)
select :hash, :pipeline, :graph,
       max(cast(unixepoch('subsec') * 1000000 as integer),
           1 + coalesce((select max(served_at) from standpipe.definition where pipeline = :pipeline), 0))
where true
on conflict (hash) do update set served_at = excluded.served_at
returning id

-- name: definition_newest
select id, hash, graph
from standpipe.definition
where pipeline = :pipeline
order by served_at desc
limit 1

-- name: definition_all
select id, hash, graph
from standpipe.definition
where pipeline = :pipeline
order by served_at desc, id desc

-- name: definition_in_flight
-- A run that has not ended has a task.
select d.id, d.hash, d.graph, t.runs
from (select abs(lane) as lane, count(distinct run_id) as runs from standpipe.task group by abs(lane)) t
     join standpipe.definition d on d.id = t.lane
order by d.pipeline, d.id

-- name: definition_by_lane
select id, hash, graph
from standpipe.definition
where id = :lane

-- name: definition_unserved
select d.id, d.pipeline, d.hash
from standpipe.definition d
where not exists (select 1 from standpipe.serving s where s.lane = d.id)
  and (exists (select 1 from standpipe.task t where t.lane = d.id and t.state = :state.ready)
       or exists (select 1 from standpipe.task t where t.lane = d.id and t.state = :state.suspect))

-- name: definition_there
select id
from standpipe.definition
where id = :lane and hash = :hash
