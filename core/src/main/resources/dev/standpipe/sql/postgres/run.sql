-- fragment: entries
unnest(:entries.node::text[], :entries.task::bigint[]) as e (node, task)

-- fragment: first_tasks
-- Of runs that are not bundled: leased to the process p, if it was to be and is one, or later, or ready.
insert into standpipe.task
    (run_id, id, node, idx, lane, priority, state, owner, token, due_at, attempt, crashes)
  select i.id, e.task, e.node, 0, :lane, i.priority,
         case when p.id is not null then :state.leased when i.delay_us > 0 then :state.scheduled else :state.ready end,
         p.id,
         case when p.id is not null then 1 else 0 end,
         case when i.delay_us > 0 then clock_timestamp() + i.delay_us * interval '1 microsecond' end,
         1, 0

-- fragment: first_bundles
insert into standpipe.task (run_id, id, node, idx, lane, priority, state, token, attempt, crashes, first_index, runs)
  select i.bundle, e.task, e.node, 0, :lane, min(i.priority), :state.ready, 0, 1, 0, 0, array_agg(i.id order by i.ord)

-- fragment: one_input(run)
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, value)
  select id, :node.input, 0, :outcome.succeeded, 0, 0, 0, :input from {run}

-- fragment: one_first_task(run)
insert into standpipe.task (run_id, id, node, idx, lane, priority, state, owner, token, attempt, crashes)
select s.id, :task::bigint, :node, 0, :lane::integer, :priority::smallint, (p.id is not null)::integer, p.id, (p.id is not null)::integer, 1, 0
from {run} s left join standpipe.process p on p.id = :owner::uuid

-- name: run_start
-- Runs go in by key, so that two starts with the same keys never wait for each other in a circle.
-- A process without a row gets nothing: what was to be leased to it is ready. As with a claim, this is asked once.
with input as materialized (
  select *
  from unnest(:runs.id::uuid[], :runs.key::text[], :runs.key_hash::text[],
              :runs.priority::smallint[], :runs.labels::text[], :runs.input::text[],
              :runs.delay_us::bigint[], :runs.owner::uuid[], :runs.followed::smallint[], :runs.bundle::uuid[])
       with ordinality as i (id, key, key_hash, priority, labels, input, delay_us, owner, followed, bundle, ord)
),
fresh as (
  insert into standpipe.run (id, pipeline, lane, priority, key, key_hash, labels, followed, bundle)
  select i.id, d.pipeline, l.id, i.priority, i.key, i.key_hash, i.labels, i.followed, i.bundle
  from input i cross join {known_lane}
  order by i.key, i.ord
  on conflict do nothing
  returning id
),
recorded as (
  insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, value)
  select i.id, :node.input, 0, :outcome.succeeded, 0, 0, 0, i.input
  from input i join fresh f on f.id = i.id
  where i.input is not null
),
created as (
  {first_tasks}
  from input i join fresh f on f.id = i.id
       left join standpipe.process p on p.id = i.owner
       cross join {entries}
  where i.bundle is null
  order by i.ord
),
bundled as (
  {first_bundles}
  from input i join fresh f on f.id = i.id
       cross join {entries}
  where i.bundle is not null
  group by i.bundle, e.task, e.node
  order by min(i.ord)
)
select id from fresh

-- name: run_start_one
-- A run without a key, by itself, with one first step that is ready or leased at once: what most starts are. Its definition
-- must be there and have this lane.
with started as (
  insert into standpipe.run (id, pipeline, lane, priority, labels, followed)
  select :run::uuid, d.pipeline, l.id, :priority::smallint, :labels, :followed::smallint
  from {known_lane}
  returning id
),
recorded as (
  {one_input(started)}
)
{one_first_task(started)}

-- name: run_start_one_keyed
-- The same for a run with a key, of which nothing is written if another has it.
with fresh as (
  insert into standpipe.run (id, pipeline, lane, priority, key, key_hash, labels, followed)
  select :run::uuid, d.pipeline, l.id, :priority::smallint, :key, :key_hash, :labels, :followed::smallint
  from {known_lane}
  on conflict do nothing
  returning id
),
recorded as (
  {one_input(fresh)}
)
{one_first_task(fresh)}

-- name: run_start_unkeyed
-- Runs without keys: their ids are new, so all of them are started if their definition is there. The first tasks of those in a
-- bundle share a row.
with defined as materialized (
  select l.id from {known_lane}
),
input as materialized (
  select i.*
  from defined
       cross join unnest(:runs.id::uuid[], :runs.priority::smallint[], :runs.labels::text[], :runs.input::text[],
              :runs.delay_us::bigint[], :runs.owner::uuid[], :runs.followed::smallint[], :runs.bundle::uuid[])
       with ordinality as i (id, priority, labels, input, delay_us, owner, followed, bundle, ord)
),
started as (
  insert into standpipe.run (id, pipeline, lane, priority, labels, followed, bundle)
  select id, :pipeline, :lane, priority, labels, followed, bundle from input
),
recorded as (
  insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, value)
  select id, :node.input, 0, :outcome.succeeded, 0, 0, 0, input from input where input is not null
),
bundled as (
  {first_bundles}
  from input i cross join {entries}
  where i.bundle is not null
  group by i.bundle, e.task, e.node
  order by min(i.ord)
),
created as (
  {first_tasks}
  from input i left join standpipe.process p on p.id = i.owner
       cross join {entries}
  where i.bundle is null
  order by i.ord
)
select id from defined

-- name: fork_results
-- Taken over, not tried: attempt and token are 0, as those of an input.
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, finished_at, value)
select :run, node, idx, outcome, 0, 0, 0, finished_at, value
from standpipe.result
where run_id = :original and outcome in (:outcome.succeeded, :outcome.element, :outcome.skipped) and node <> :node.input and node <> all (:redone.node::text[])

-- name: fork_skips
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us)
select :run, i.node, i.idx, :outcome.skipped, 0, 0, 0
from unnest(:skips.node::text[], :skips.idx::integer[]) as i (node, idx)

-- name: run_hold
-- Locks all tasks of the run that nobody else has locked, and returns one that somebody has. To wait for it with
-- others in hand may be a circle: a settlement locks tasks that stay before those that go, whatever their order.
with held as materialized (
  select id from standpipe.task where run_id = :run order by id for update skip locked
)
select t.id from standpipe.task t where t.run_id = :run and t.id not in (select id from held) limit 1

-- name: run_wait
select 1 from standpipe.task where run_id = :run and id = :task for update

-- name: run_clear
-- What waited for a time goes on doing so if the run is brought back; what waited for another try, a signal or
-- another run does not.
with gone as (
  delete from standpipe.task
  where run_id = :run and state in (:state.ready, :state.scheduled, :state.suspect)
    and exists (select 1 from standpipe.run r where r.id = :run and {is_stopping(r.status)})
  returning run_id, id, node, idx, state, token, due_at
)
insert into standpipe.put_off (run_id, node, idx, due_at)
select g.run_id, g.node, g.idx, g.due_at
from gone g
where g.state = :state.scheduled
  and exists (select 1 from standpipe.run r where r.id = :run and r.status <> 'finishing')
  and {waits_for_a_time(g)}
on conflict (run_id, node, idx) do update set due_at = excluded.due_at

-- name: run_cut_off
-- Bodies that have not ended within the grace of a cancel or a deadline: whatever they still write is stale. The processes
-- that run them are told, and interrupt them.
with gone as (
  delete from standpipe.task
  where run_id = :run and state = :state.leased
    and {grace_is_over}
  returning run_id, id, node, idx, token, attempt, owner
),
told as (
  insert into standpipe.cut_off (process_id, run_id, task_id, token)
  select g.owner, g.run_id, g.id, g.token
  from gone g
  where exists (select 1 from standpipe.process p where p.id = g.owner)
  on conflict do nothing
)
insert into standpipe.attempt (run_id, node, idx, token, attempt, process_id, outcome, elapsed_us)
select run_id, node, idx, token, attempt, owner, 'canceled', 0 from gone

-- name: run_halted
with halted as (
  update standpipe.run r
  set status = {ended_for(r.halt_reason)},
      halt_reason = nullif(r.halt_reason, 'finished'), finished_at = clock_timestamp()
  where r.id = :run and {is_stopping(r.status)}
  returning r.id as run_id, r.followed > :followed.by_nothing as followed
),
ended as (
  delete from standpipe.stopped s using halted where s.run_id = halted.run_id
)
select run_id, followed from halted

-- name: run_cancel
with halting as (
  update standpipe.run
  set status = 'canceling', halt_reason = 'canceled', halt_node = null
  where id = :run and ({goes_on(status)} or status = 'halting')
  returning id
)
{list_halting}

-- name: run_deadlines
insert into standpipe.deadline (run_id, due_at)
select run, clock_timestamp() + time_us * interval '1 microsecond'
from unnest(:deadlines.run::uuid[], :deadlines.time_us::bigint[]) as d (run, time_us)

-- name: run_expire
with halting as (
  update standpipe.run
  set status = 'halting', halt_reason = 'deadline', halt_node = null
  where id = :run and {goes_on(status)}
  returning id
)
{list_halting}
