-- name: definition_register
insert into standpipe.definition (hash, pipeline, graph)
values (:hash, :pipeline, :graph)
on conflict (hash) do update set served_at = clock_timestamp()
returning id

-- name: definition_in_flight
-- A run that has not ended has a task.
select d.id, d.hash, d.graph, t.runs
from (select lane, count(distinct run_id) as runs from standpipe.live group by lane) t
     join standpipe.definition d on d.id = t.lane
order by d.pipeline, d.id
