-- name: definition_register
insert into standpipe.definition (hash, pipeline, graph)
values (:hash, :pipeline, :graph)
on conflict (hash) do update set served_at = clock_timestamp()
returning id
