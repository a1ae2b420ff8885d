-- name: definition_register
-- The clock ticks in milliseconds: of two registered within one, the later must still be the newest.
insert into standpipe.definition (hash, pipeline, graph, served_at)
select :hash, :pipeline, :graph,
       max({now},
           1 + coalesce((select max(served_at) from standpipe.definition where pipeline = :pipeline), 0))
where true
on conflict (hash) do update set served_at = excluded.served_at
returning id
