-- fragment: quarantined
q.run_id, q.node, q.idx, q.token, q.attempt, q.crashes, r.pipeline, a.process_id,
       {micros(q.quarantined_at)} as quarantined_us

-- fragment: with_run_and_crashes
join standpipe.run r on r.id = q.run_id
     left join standpipe.attempt a
       on a.run_id = q.run_id and a.node = q.node and a.idx = q.idx and a.outcome = 'crashed'

-- name: quarantine_list
-- One row for each crash of each step, the newest crash first.
select {quarantined}
from (select * from standpipe.quarantine order by quarantined_at, run_id limit :limit) q
     {with_run_and_crashes}
order by q.quarantined_at, q.run_id, a.token desc

-- name: quarantine_find
select {quarantined}
from standpipe.quarantine q
     {with_run_and_crashes}
where q.run_id = :run and q.node = :node and q.idx = :idx
order by a.token desc

-- name: quarantine_remove
-- The token tells this quarantine from a later one of the same step.
delete from standpipe.quarantine where run_id = :run and node = :node and idx = :idx and token = :token

-- name: quarantine_fail
-- An expand that has yielded elements has its own result where they are not.
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us)
select {typed(:run, uuid)}, {typed(:node, text)}, case when count(*) = 0 then :idx else {own_index(:idx)} end, :outcome.failed, {typed(:attempt, integer)}, {typed(:token, bigint)}, 0
from standpipe.result
where run_id = :run and node = :node and idx = :idx

-- name: audit_add
insert into standpipe.audit (actor, action, run_id, node, idx, reason)
values (:actor, :action, :run, :node, :idx, :reason)

-- name: revive_still
-- Nothing of a run that has ended changes until it is brought back: an operator who has read it since the last
-- time has read all of it.
select 1
from standpipe.run r
where r.id = :run and {can_be_revived(r.status)}
  and {times_revived} = :times
{for_update}

-- name: revive_times
select count(*) as times
from standpipe.audit
where run_id = :run and action in ('release', 'revive')

-- name: revive_unquarantine
delete from standpipe.quarantine where run_id = :run

-- name: revive_unlimit
delete from standpipe.retry_limit where run_id = :run

-- name: resume_finished
-- What is skipped keeps its index: below zero it stands for all elements. The name of an arm is short.
select node, case when idx < 0 and outcome = :outcome.succeeded then {own_index(idx)} else idx end as idx,
       case when idx < 0 and outcome = :outcome.succeeded then cast(value as integer) else 0 end as elements,
       outcome = :outcome.skipped as skipped, case when length(value) <= 102 then value end as arm
from standpipe.result
where run_id = :run and outcome in (:outcome.succeeded, :outcome.skipped) and node <> :node.input

-- name: resume_unfinished
-- Elements are numbered without gaps, and an expand that has ended has a result of its own.
select r.node, max(r.idx) + 1 as elements
from standpipe.result r
where r.run_id = :run and r.outcome = :outcome.element
  and not exists (select 1 from standpipe.result e
                  where e.run_id = r.run_id and e.node = r.node and e.idx = {own_index(0)} and e.outcome = :outcome.succeeded)
group by r.node

-- name: resume_forget_put_off
delete from standpipe.put_off where run_id = :run

-- name: resume_forget_failures
delete from standpipe.result where run_id = :run and outcome = :outcome.failed

-- name: resume_forget_tolerated
delete from standpipe.tolerated where run_id = :run

-- name: resume_forget_arrivals
delete from standpipe.arrival where run_id = :run
