-- name: quarantine_halt
update standpipe.run as r
set status = 'halting', halt_reason = 'quarantined', halt_node = i.node
from (select value ->> 0 as run, value ->> 1 as node from jsonb_each(:steps)) i
where r.id = i.run and {goes_on(r.status)}
returning id

-- name: quarantine_add
insert into standpipe.quarantine (run_id, node, idx, token, attempt, crashes)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
from jsonb_each(:steps)

-- name: revive_limit
insert into standpipe.retry_limit (run_id, node, max_retries)
select distinct :run, value ->> 1, :most
from jsonb_each(:tasks)

-- name: resume_run
update standpipe.run
set status = 'running', finished_at = null, halt_reason = null, halt_node = null
where id = :run and {can_be_revived(status)}

-- name: resume_arrivals
insert into standpipe.arrival (run_id, node, need, remaining)
select :run, value ->> 0, value ->> 1, value ->> 2
from jsonb_each(:arrivals)

-- name: resume_tasks
-- Tokens go on above every one the run has ever had: those in the ledger, and those of tries that left
-- nothing there, of which there are fewer than a trillion between two such times. A fork is one, too: its tokens show
-- that there may be results which were not made in it.
insert into standpipe.task
  (run_id, id, node, idx, lane, priority, state, due_at, token, attempt, crashes, seq)
select r.id, i.value ->> 0, i.value ->> 1, i.value ->> 2, r.lane, r.priority,
       case when p.due_at is null then :state.ready else :state.scheduled end, p.due_at,
       max(coalesce((select max(token) from standpipe.result where run_id = r.id), 0),
           coalesce((select max(token) from standpipe.attempt where run_id = r.id), 0))
         + :token.revived * ({times_revived}
                      + (select count(*) from standpipe.rerun where run_id = r.id and node is not null)),
       1, 0,
       1 + i.key + {last_seq(r.lane, r.priority)}
from standpipe.run r
     cross join jsonb_each(:tasks) i
     left join standpipe.put_off p on p.run_id = r.id and p.node = i.value ->> 1 and p.idx = i.value ->> 2
where r.id = :run
