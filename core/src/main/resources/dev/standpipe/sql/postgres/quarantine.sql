-- name: quarantine_halt
with halting as (
  update standpipe.run r
  set status = 'halting', halt_reason = 'quarantined', halt_node = i.node
  from unnest(:steps.run::uuid[], :steps.node::text[]) as i (run, node)
  where r.id = i.run and r.status = 'running'
  returning r.id
)
insert into standpipe.stopped (run_id) select id from halting
on conflict (run_id) do update set run_id = excluded.run_id
returning run_id as id

-- name: quarantine_add
insert into standpipe.quarantine (run_id, node, idx, token, attempt, crashes)
select * from unnest(:steps.run::uuid[], :steps.node::text[], :steps.idx::integer[],
                     :steps.token::bigint[], :steps.attempt::integer[], :steps.crashes::integer[])

-- name: quarantine_list
-- One row for each crash of each step, the newest crash first.
select q.run_id, q.node, q.idx, q.token, q.attempt, q.crashes, r.pipeline, a.process_id,
       (extract(epoch from q.quarantined_at) * 1000000)::bigint as quarantined_us
from (select * from standpipe.quarantine order by quarantined_at, run_id limit :limit) q
     join standpipe.run r on r.id = q.run_id
     left join standpipe.attempt a
       on a.run_id = q.run_id and a.node = q.node and a.idx = q.idx and a.outcome = 'crashed'
order by q.quarantined_at, q.run_id, a.token desc

-- name: quarantine_find
select q.run_id, q.node, q.idx, q.token, q.attempt, q.crashes, r.pipeline, a.process_id,
       (extract(epoch from q.quarantined_at) * 1000000)::bigint as quarantined_us
from standpipe.quarantine q
     join standpipe.run r on r.id = q.run_id
     left join standpipe.attempt a
       on a.run_id = q.run_id and a.node = q.node and a.idx = q.idx and a.outcome = 'crashed'
where q.run_id = :run and q.node = :node and q.idx = :idx
order by a.token desc

-- name: quarantine_remove
-- The token tells this quarantine from a later one of the same step.
delete from standpipe.quarantine where run_id = :run and node = :node and idx = :idx and token = :token

-- name: quarantine_fail
-- An expand that has yielded elements has its own result where they are not.
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us)
select :run::uuid, :node::text, case when count(*) = 0 then :idx else -1 - :idx end, :outcome.failed, :attempt::integer, :token::bigint, 0
from standpipe.result
where run_id = :run and node = :node and idx = :idx

-- name: audit_add
insert into standpipe.audit (actor, action, run_id, node, idx, reason)
values (:actor, :action, :run, :node, :idx, :reason)

-- name: revive_still
-- Nothing of a run that has ended changes until it is brought back: whoever has read it since the last
-- time has read all of it.
select 1
from standpipe.run r
where r.id = :run and r.status = 'halted' and (r.followed < :followed.to_compensate or r.halt_reason = 'failed')
  and (select count(*) from standpipe.audit
       where run_id = r.id and action in ('release', 'revive')) = :times
for update

-- name: revive_times
select count(*) as times
from standpipe.audit
where run_id = :run and action in ('release', 'revive')

-- name: revive_unquarantine
delete from standpipe.quarantine where run_id = :run

-- name: revive_unlimit
delete from standpipe.retry_limit where run_id = :run

-- name: revive_limit
insert into standpipe.retry_limit (run_id, node, max_retries)
select distinct :run::uuid, node, :most::integer
from unnest(:tasks.task::bigint[], :tasks.node::text[], :tasks.idx::integer[]) as i (task, node, idx)

-- name: resume_finished
-- What is skipped keeps its index: below zero it stands for all elements. The name of an arm is short.
select node, case when idx < 0 and outcome = :outcome.succeeded then -1 - idx else idx end as idx,
       case when idx < 0 and outcome = :outcome.succeeded then value::integer else 0 end as elements,
       outcome = :outcome.skipped as skipped, case when length(value) <= 102 then value end as arm
from standpipe.result
where run_id = :run and outcome in (:outcome.succeeded, :outcome.skipped) and node <> '$input'

-- name: resume_unfinished
-- Elements are numbered without gaps, and an expand that has ended has a result of its own.
select r.node, max(r.idx) + 1 as elements
from standpipe.result r
where r.run_id = :run and r.outcome = :outcome.element
  and not exists (select 1 from standpipe.result e
                  where e.run_id = r.run_id and e.node = r.node and e.idx = -1 and e.outcome = :outcome.succeeded)
group by r.node

-- name: resume_run
with ended as (
  delete from standpipe.stopped s
  using standpipe.run r
  where s.run_id = :run and r.id = s.run_id and r.finished_at is not null
)
update standpipe.run
set status = 'running', finished_at = null, halt_reason = null, halt_node = null, paused_at = null
where id = :run and status = 'halted' and (followed < :followed.to_compensate or halt_reason = 'failed')

-- name: resume_forget_put_off
delete from standpipe.put_off where run_id = :run

-- name: resume_forget_failures
delete from standpipe.result where run_id = :run and outcome = :outcome.failed

-- name: resume_forget_tolerated
delete from standpipe.tolerated where run_id = :run

-- name: resume_forget_arrivals
delete from standpipe.arrival where run_id = :run

-- name: resume_arrivals
insert into standpipe.arrival (run_id, node, need, remaining)
select :run, node, need, remaining
from unnest(:arrivals.node::text[], :arrivals.need::integer[], :arrivals.remaining::integer[])
     as a (node, need, remaining)

-- name: resume_tasks
-- Tokens go on above every one the run has ever had: those in the ledger, and those of tries that left
-- nothing there, of which there are fewer than a million between two such times. A fork is one, too: its tokens show
-- that there may be results which were not made in it.
insert into standpipe.task
  (run_id, id, node, idx, lane, priority, state, due_at, token, attempt, crashes)
select r.id, i.task, i.node, i.idx, r.lane, r.priority, case when p.due_at is null then :state.ready else :state.scheduled end, p.due_at,
       greatest((select max(token) from standpipe.result where run_id = r.id),
                (select max(token) from standpipe.attempt where run_id = r.id))
         + 1000000 * ((select count(*) from standpipe.audit
                       where run_id = r.id and action in ('release', 'revive'))
                      + (select count(*) from standpipe.rerun where run_id = r.id and node is not null)),
       1, 0
from standpipe.run r
     cross join unnest(:tasks.task::bigint[], :tasks.node::text[], :tasks.idx::integer[])
       as i (task, node, idx)
     left join standpipe.put_off p on p.run_id = r.id and p.node = i.node and p.idx = i.idx
where r.id = :run
