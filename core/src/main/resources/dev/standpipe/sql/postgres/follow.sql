-- name: ended_mark
insert into standpipe.ended (run_id)
select run from unnest(:runs.run::uuid[]) as i (run)

-- name: ended_take
-- One that somebody else is at is passed by.
delete from standpipe.ended
where run_id in (select run_id from standpipe.ended where run_id = :run for update skip locked)

-- name: chain_lock
-- In the order of ids, so that two who link the same runs never wait for each other in a circle. A run
-- that is just about to end does so before or after: then it finds that something follows.
select id as run_id, finished_at is not null as ended, status = 'succeeded' as succeeded
from standpipe.run
where id = any (:runs.run::uuid[])
order by id
for update

-- name: chain_follow
update standpipe.run set followed = :followed.by_something where id = any (:runs.run::uuid[]) and followed = :followed.by_nothing

-- name: chain_add
insert into standpipe.chain (upstream_run_id, downstream_run_id, resolved)
select run, :run::uuid, ended = 1 from unnest(:runs.run::uuid[], :runs.ended::smallint[]) as i (run, ended)

-- name: chain_input
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, value)
select c.run_id, :node.input, 0, :outcome.succeeded, 0, 0, 0, coalesce(f.value, v.value, c.default_input)
from standpipe.chained c
     join standpipe.run u on u.id = c.input_run_id
     {with_definition(u.lane)}
     left join standpipe.finish f on f.run_id = u.id
     left join standpipe.result v
       on v.run_id = u.id and v.node = d.graph::json ->> 'output' and v.idx = 0 and v.outcome = :outcome.succeeded
where c.run_id = :run

-- name: chain_skip
with skipped as (
  update standpipe.run
  set status = 'skipped', halt_reason = 'skipped', finished_at = clock_timestamp(), followed = least(followed, :followed.by_something)
  where id = :run and {goes_on(status)}
  returning id as run_id, followed > :followed.by_nothing as followed
),
ended as (
  delete from standpipe.stopped s using skipped where s.run_id = skipped.run_id
)
select run_id, followed from skipped
