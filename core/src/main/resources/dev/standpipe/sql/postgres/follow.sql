-- What follows the end of a run.

-- name: ended_mark
insert into standpipe.ended (run_id)
select run from unnest(:runs.run::uuid[]) as i (run)

-- name: ended_list
select run_id from standpipe.ended order by ended_at, run_id limit :limit offset :skipped

-- name: ended_take
-- One that somebody else is at is passed by.
delete from standpipe.ended
where run_id in (select run_id from standpipe.ended where run_id = :run for update skip locked)

-- name: ended_forget
-- A run that is brought back has not ended after all, as far as nothing has followed.
delete from standpipe.ended where run_id = :run

-- name: dispatch_add
-- The last end of a run is told from those before by how often it, or its compensation, was brought back.
insert into standpipe.dispatched (run_id, original_run_id, kind, end_number)
select :run::uuid, :original::uuid, :kind::text, count(*)
from standpipe.audit
where action in ('release', 'revive')
  and (run_id = :original
       or run_id in (select run_id from standpipe.dispatched where original_run_id = :original and kind = 'compensate'))

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

-- name: chained_add
insert into standpipe.chained (run_id, remaining, delay_us, input_run_id, default_input)
values (:run, :remaining, :delay_us, :value_of, :otherwise)

-- name: chain_resolve
update standpipe.chain set resolved = true where upstream_run_id = :run and not resolved
returning downstream_run_id

-- name: chained_arrive
update standpipe.chained set remaining = remaining - 1 where run_id = :run
returning remaining

-- name: chained_forget
delete from standpipe.chained where run_id = :run

-- name: chained_abandon
-- A run that is stopped waits for nothing any more.
delete from standpipe.chained c
where c.run_id = :run and exists (select 1 from standpipe.run r where r.id = c.run_id and r.status = 'halting')

-- name: chain_input
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, value)
select c.run_id, '$input', 0, :outcome.succeeded, 0, 0, 0, coalesce(f.value, v.value, c.default_input)
from standpipe.chained c
     join standpipe.run u on u.id = c.input_run_id
     join standpipe.definition d on d.id = u.lane
     left join standpipe.finish f on f.run_id = u.id
     left join standpipe.result v
       on v.run_id = u.id and v.node = d.graph::json ->> 'output' and v.idx = 0 and v.outcome = :outcome.succeeded
where c.run_id = :run

-- name: chain_ready
update standpipe.task t
set state = case when c.delay_us > 0 then :state.scheduled else :state.ready end,
    due_at = case when c.delay_us > 0 then clock_timestamp() + c.delay_us * interval '1 microsecond' end,
    seq = nextval('standpipe.task_seq')
from standpipe.chained c
where c.run_id = :run and t.run_id = c.run_id and t.state = :state.scheduled

-- name: chain_clear
delete from standpipe.task where run_id = :run and state = :state.scheduled

-- name: chain_skip
with skipped as (
  update standpipe.run
  set status = 'halted', halt_reason = 'skipped', finished_at = clock_timestamp(), followed = least(followed, :followed.by_something)
  where id = :run and status = 'running'
  returning id as run_id, followed > :followed.by_nothing as followed
),
ended as (
  delete from standpipe.stopped s using skipped where s.run_id = skipped.run_id
)
select run_id, followed from skipped

-- name: compensated
update standpipe.run set followed = :followed where id = :run and followed >= :followed.to_compensate
