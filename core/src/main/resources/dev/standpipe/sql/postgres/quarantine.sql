-- fragment: resumed_tasks
unnest(:tasks.task::bigint[], :tasks.node::text[], :tasks.idx::integer[]) as i (task, node, idx)

-- name: quarantine_halt
with halting as (
  update standpipe.run r
  set status = 'halting', halt_reason = 'quarantined', halt_node = i.node
  from unnest(:steps.run::uuid[], :steps.node::text[]) as i (run, node)
  where r.id = i.run and {goes_on(r.status)}
  returning r.id
)
{list_halting}
returning run_id as id

-- name: quarantine_add
insert into standpipe.quarantine (run_id, node, idx, token, attempt, crashes)
select * from unnest(:steps.run::uuid[], :steps.node::text[], :steps.idx::integer[],
                     :steps.token::bigint[], :steps.attempt::integer[], :steps.crashes::integer[])

-- name: revive_limit
insert into standpipe.retry_limit (run_id, node, max_retries)
select distinct :run::uuid, node, :most::integer
from {resumed_tasks}

-- name: resume_run
with {unlist_ended}
update standpipe.run
set status = 'running', finished_at = null, halt_reason = null, halt_node = null
where id = :run and {can_be_revived(status)}

-- name: resume_arrivals
insert into standpipe.arrival (run_id, node, need, remaining)
select :run, node, need, remaining
from unnest(:arrivals.node::text[], :arrivals.need::integer[], :arrivals.remaining::integer[])
     as a (node, need, remaining)

-- name: resume_tasks
-- Tokens go on above every one the run has ever had: those in the ledger, and those of tries that left
-- nothing there, of which there are fewer than a trillion between two such times. A fork is one, too: its tokens show
-- that there may be results which were not made in it.
insert into standpipe.task
  (run_id, id, node, idx, lane, priority, state, due_at, token, attempt, crashes)
select r.id, i.task, i.node, i.idx, r.lane, r.priority, case when p.due_at is null then :state.ready else :state.scheduled end, p.due_at,
       greatest((select max(token) from standpipe.result where run_id = r.id),
                (select max(token) from standpipe.attempt where run_id = r.id))
         + :token.revived * ({times_revived}
                      + (select count(*) from standpipe.rerun where run_id = r.id and node is not null)),
       1, 0
from standpipe.run r
     cross join {resumed_tasks}
     left join standpipe.put_off p on p.run_id = r.id and p.node = i.node and p.idx = i.idx
where r.id = :run
