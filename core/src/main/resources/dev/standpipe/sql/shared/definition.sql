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
