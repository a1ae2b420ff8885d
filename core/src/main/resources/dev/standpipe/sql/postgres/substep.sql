-- What a try writes before it ends. The task is kept as it is until that is committed, so that nobody takes it over in between: the try
-- that does reads all that was accepted before.

-- fragment: of_held_tasks
-- Behind a list of writes w: those whose task the owner still holds with the very token, locked in the order of all that lock tasks.
cross join standpipe.task t
  where {is_held(w.run, w.task, w.token)}
  order by w.run, w.task
  for no key update of t

-- name: substep_write
-- A write whose reply was lost is sent again, finds its own row, and counts as written.
with held as materialized (
  select w.*
  from unnest(:writes.run::uuid[], :writes.task::bigint[], :writes.token::bigint[], :writes.node::text[],
              :writes.idx::integer[], :writes.key::text[], :writes.value::text[])
       as w (run, task, token, node, idx, key, value)
  {of_held_tasks}
)
insert into standpipe.substep as s (run_id, node, idx, key, value, token)
select run, node, idx, key, value, token from held
order by run, node, idx, key
on conflict (run_id, node, idx, key) do update set token = excluded.token
where s.token = excluded.token and s.value = excluded.value
returning s.run_id, s.node, s.idx, s.key

-- name: checkpoint_write
with held as materialized (
  select w.*
  from unnest(:writes.run::uuid[], :writes.task::bigint[], :writes.token::bigint[], :writes.node::text[],
              :writes.idx::integer[], :writes.value::text[])
       as w (run, task, token, node, idx, value)
  {of_held_tasks}
)
insert into standpipe.checkpoint as c (run_id, node, idx, value, token)
select run, node, idx, value, token from held
order by run, node, idx
on conflict (run_id, node, idx) do update set value = excluded.value, token = excluded.token, written_at = {now}
returning c.run_id, c.node, c.idx

-- name: progress_write
-- Nobody waits for a report, and it waits for no task: a heart must beat on.
insert into standpipe.progress as p (run_id, node, idx, token, done, total, note)
select i.run, i.node, i.idx, i.token, i.done, i.total, i.note
from unnest(:reports.run::uuid[], :reports.node::text[], :reports.idx::integer[], :reports.token::bigint[],
            :reports.done::bigint[], :reports.total::bigint[], :reports.note::text[])
     as i (run, node, idx, token, done, total, note)
where exists (select 1 from standpipe.process where id = :owner)
order by i.run, i.node, i.idx
on conflict (run_id, node, idx) do update
set done = excluded.done, total = excluded.total, note = excluded.note, token = excluded.token, reported_at = {now}
where p.token <= excluded.token

-- name: settle_checkpoint
-- The step, or the turn of a loop, has succeeded: there is no next try.
delete from standpipe.checkpoint c
using unnest(:steps.run::uuid[], :steps.node::text[], :steps.idx::integer[]) as i (run, node, idx)
where c.run_id = i.run and c.node = i.node and c.idx = i.idx

-- name: settle_substeps
-- The turn of a loop has ended: the next one makes its own calls.
delete from standpipe.substep s
using unnest(:steps.run::uuid[], :steps.node::text[], :steps.idx::integer[]) as i (run, node, idx)
where s.run_id = i.run and s.node = i.node and s.idx = i.idx
