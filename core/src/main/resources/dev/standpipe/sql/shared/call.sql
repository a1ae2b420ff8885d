-- Runs that steps of others have called.

-- fragment: is_last
-- The call c is the last of its step.
not exists (select 1 from standpipe.called l
                  where l.parent_run_id = c.parent_run_id and l.node = c.node and l.idx = c.idx and l.call_number > c.call_number)

-- name: call_lock
-- Until the call is committed, nobody cancels the caller: a later cancel finds the called run.
select 1 from standpipe.run where id = :parent and {goes_on(status)} {for_share}

-- name: call_add
insert into standpipe.called (run_id, parent_run_id, node, idx, call_number)
values (:run, :parent, :node, :idx, :nth)
on conflict do nothing

-- name: call_last
select run_id, call_number, failed_attempt
from standpipe.called
where parent_run_id = :parent and node = :node and idx = :idx
order by call_number desc
limit 1

-- name: call_spend
update standpipe.called set failed_attempt = :attempt where run_id = :run

-- name: call_respite
-- What has not ended gets another chance; what has is called anew.
update standpipe.called as c
set failed_attempt = case when (select r.finished_at from standpipe.run r where r.id = c.run_id) is null then null else 0 end
where c.parent_run_id = :run and c.failed_attempt is not null

-- name: call_children
-- The last call of each step.
select c.run_id
from standpipe.called c
where c.parent_run_id = :run
  and {is_last}
order by c.node, c.idx

-- name: call_live
select c.run_id
from standpipe.called c join standpipe.run r on r.id = c.run_id
where c.parent_run_id = :run and r.finished_at is null
order by c.run_id

-- name: call_ended
insert into standpipe.signal as s (run_id, node, idx, dedupe, value, signaled_at)
select c.parent_run_id, c.node, c.idx, 'ended', 'true', {now}
from standpipe.called c
where c.run_id = :run
  and {is_last}
on conflict (run_id, node, idx) do update
set dedupe = excluded.dedupe, value = excluded.value, signaled_at = excluded.signaled_at
where s.value is null
returning run_id, node, idx, task_id

-- name: call_listen
-- What woke the caller has been heard.
delete from standpipe.signal where run_id = :parent and node = :node and idx = :idx and value is not null
