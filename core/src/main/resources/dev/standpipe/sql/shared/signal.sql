-- name: signal_give
-- Blocks while the very await begins to wait, or expires, and then knows of it.
insert into standpipe.signal as s (run_id, node, idx, dedupe, value, signaled_at)
select r.id, {typed(:node, text)}, {typed(:idx, integer)}, {typed(:dedupe, text)}, {typed(:value, text)}, {now}
from standpipe.run r
where r.id = :run and {goes_on(r.status)}
  and not exists (select 1 from standpipe.result x
                  where x.run_id = r.id and x.node = :node and x.idx in (:idx, :index.all))
on conflict (run_id, node, idx) do update
set dedupe = excluded.dedupe, value = excluded.value, signaled_at = excluded.signaled_at
where s.value is null and not s.expired
returning task_id

-- name: signal_refused
select {goes_on(r.status)} as goes_on, s.value, s.dedupe, s.expired,
       (select max(x.outcome) from standpipe.result x
        where x.run_id = r.id and x.node = :node and x.idx in (:idx, :index.all)) as outcome
from standpipe.run r
     left join standpipe.signal s on s.run_id = r.id and s.node = :node and s.idx = :idx
where r.id = :run

-- name: signal_look
select value, expired from standpipe.signal where run_id = :run and node = :node and idx = :idx

-- name: signal_expire
update standpipe.signal set expired = true
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
