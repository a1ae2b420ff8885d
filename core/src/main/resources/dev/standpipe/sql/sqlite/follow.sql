-- name: ended_mark
insert into standpipe.ended (run_id)
select value ->> 0 from jsonb_each(:runs)

-- name: ended_take
delete from standpipe.ended where run_id = :run

-- name: chain_lock
select id as run_id, finished_at is not null as ended, status = 'succeeded' as succeeded
from standpipe.run
where id in (select value ->> 0 from jsonb_each(:runs))
order by id

-- name: chain_follow
update standpipe.run set followed = :followed.by_something
where followed = :followed.by_nothing and id in (select value ->> 0 from jsonb_each(:runs))

-- name: chain_add
insert into standpipe.chain (upstream_run_id, downstream_run_id, resolved)
select value ->> 0, :run, value ->> 1 from jsonb_each(:runs)

-- name: chain_input
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, value)
select c.run_id, :node.input, 0, :outcome.succeeded, 0, 0, 0, coalesce(f.value, v.value, c.default_input)
from standpipe.chained c
     join standpipe.run u on u.id = c.input_run_id
     {with_definition(u.lane)}
     left join standpipe.finish f on f.run_id = u.id
     left join standpipe.result v
       on v.run_id = u.id and v.node = d.graph ->> 'output' and v.idx = 0 and v.outcome = :outcome.succeeded
where c.run_id = :run

-- name: chain_skip
update standpipe.run
set status = 'skipped', halt_reason = 'skipped', followed = min(followed, :followed.by_something),
    finished_at = {now}
where id = :run and {goes_on(status)}
returning id as run_id, followed > :followed.by_nothing as followed
