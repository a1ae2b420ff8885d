-- name: signal_wait
insert into standpipe.signal (run_id, node, idx, task_id)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3
from jsonb_each(:waits)
where true
on conflict (run_id, node, idx) do update set task_id = excluded.task_id
returning run_id, node, idx, task_id, value is not null as signaled

-- name: signal_wake
update standpipe.task as t
set state = case when t.crashes >= 2 then :state.suspect else :state.ready end, due_at = null,
    seq = 1 + w.ord + coalesce((select max(r.seq) from standpipe.task r
                                where r.lane = t.lane and r.priority = t.priority and r.state = :state.ready), 0)
from (select key as ord, value ->> 0 as run, value ->> 1 as node, value ->> 2 as idx, value ->> 3 as task
      from jsonb_each(:waits)) w
where t.run_id = w.run and t.id = w.task and t.node = w.node and t.idx = w.idx and t.state = :state.scheduled

-- name: signal_give
insert into standpipe.signal (run_id, node, idx, dedupe, value, signaled_at)
select r.id, :node, :idx, :dedupe, :value, cast(unixepoch('subsec') * 1000000 as integer)
from standpipe.run r
where r.id = :run and r.status = 'running'
  and not exists (select 1 from standpipe.result x
                  where x.run_id = r.id and x.node = :node and x.idx in (:idx, -1))
on conflict (run_id, node, idx) do update
set dedupe = excluded.dedupe, value = excluded.value, signaled_at = excluded.signaled_at
where value is null and expired = 0
returning task_id

-- name: signal_refused
select r.status, s.value, s.dedupe, s.expired,
       (select max(x.outcome) from standpipe.result x
        where x.run_id = r.id and x.node = :node and x.idx in (:idx, -1)) as outcome
from standpipe.run r
     left join standpipe.signal s on s.run_id = r.id and s.node = :node and s.idx = :idx
where r.id = :run

-- name: signal_look
select value, expired from standpipe.signal where run_id = :run and node = :node and idx = :idx

-- name: signal_expire
update standpipe.signal set expired = 1
where run_id = :run and node = :node and idx = :idx and value is null

-- name: resume_forget_signals
-- Awaits wait anew; one that could not read its signal asks for another. Those to come keep theirs.
delete from standpipe.signal as s
where s.run_id = :run
  and (s.value is null or exists (select 1 from standpipe.result r
                                  where r.run_id = s.run_id and r.node = s.node and r.idx = s.idx
                                    and r.outcome = :outcome.failed))
  and not exists (select 1 from standpipe.result r
                  where r.run_id = s.run_id and r.node = s.node and r.idx = s.idx and r.outcome = :outcome.succeeded)
