-- What a try writes before it ends. A statement is alone with the database while it writes, so nobody takes the task over in between.

-- fragment: is_still_held
-- t is the task of the write w, and the owner holds it with the very token.
cross join standpipe.task t
  on t.run_id = w.value ->> 0 and t.id = w.value ->> 1 and t.token = w.value ->> 2
where t.owner = :owner and t.state = :state.leased

-- name: substep_write
-- A write whose reply was lost is sent again, finds its own row, and counts as written.
insert into standpipe.substep as s (run_id, node, idx, key, value, token)
select w.value ->> 0, w.value ->> 3, w.value ->> 4, w.value ->> 5, w.value ->> 6, w.value ->> 2
from jsonb_each(:writes) w
{is_still_held}
on conflict (run_id, node, idx, key) do update set token = excluded.token
where s.token = excluded.token and s.value = excluded.value
returning run_id, node, idx, key

-- name: checkpoint_write
insert into standpipe.checkpoint as c (run_id, node, idx, value, token)
select w.value ->> 0, w.value ->> 3, w.value ->> 4, w.value ->> 5, w.value ->> 2
from jsonb_each(:writes) w
{is_still_held}
on conflict (run_id, node, idx) do update set value = excluded.value, token = excluded.token, written_at = {now}
returning run_id, node, idx

-- name: progress_write
insert into standpipe.progress as p (run_id, node, idx, token, done, total, note)
select i.value ->> 0, i.value ->> 1, i.value ->> 2, i.value ->> 3, i.value ->> 4, i.value ->> 5, i.value ->> 6
from jsonb_each(:reports) i
where exists (select 1 from standpipe.process where id = :owner)
on conflict (run_id, node, idx) do update
set done = excluded.done, total = excluded.total, note = excluded.note, token = excluded.token, reported_at = {now}
where p.token <= excluded.token

-- name: settle_checkpoint
-- The step, or the turn of a loop, has succeeded: there is no next try.
delete from standpipe.checkpoint
where (run_id, node, idx) in (select value ->> 0, value ->> 1, value ->> 2 from jsonb_each(:steps))

-- name: settle_substeps
-- The turn of a loop has ended: the next one makes its own calls.
delete from standpipe.substep
where (run_id, node, idx) in (select value ->> 0, value ->> 1, value ->> 2 from jsonb_each(:steps))
