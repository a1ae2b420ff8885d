-- Settling moves or removes tasks that are still leased to the owner with the very token, whose run
-- goes on, and writes what follows for those alone.
--
-- A plan is made once and kept, often while the tables are all but empty, and must still be good when
-- they are not. So these statements leave the planner no choice: rows are found by a range of one key
-- ((a, b) >= (x, y) and (a, b) <= (x, y)), which can be looked up but not merged or hashed, and the run
-- by a subquery; owner and state are compared in a way no index can serve, or it would read all that a
-- process owns for every row. See docs/decisions/006.

-- fragment: is_held(run, task, token)
-- t is this task, and the owner holds it with this very token.
{is_task({run}, {task})}
    and t.token = {token} and t.owner is not distinct from :owner and t.state + 0 = :state.leased

-- fragment: takes_settlements(run)
-- Steps of paused runs are settled apart, when it is known which they are.
case when :parked::boolean
             then (select r.status from standpipe.run r where r.id = {run}) = 'paused'
             else {not_stopped({run})} end

-- fragment: may_settle
-- The guard of many: the task t of the settlement i is still the owner's, and its run goes on.
{is_held(i.run, i.task, i.token)}
    and {takes_settlements(i.run)}

-- fragment: may_settle_one
-- The guard of one.
{is_held(:run, :task, :token)}
    and {not_listed(:run)}

-- fragment: marked
-- Of the runs that have ended, marks those whose end something follows.
marked as (
  insert into standpipe.ended (run_id)
  select id from ended where followed > :followed.by_nothing
  returning 1
)

-- fragment: places(accepted, asked)
-- Of those accepted, or nothing if all of them were.
case when (select count(*) from {accepted}) < {asked}
            then (select coalesce(string_agg(ord::text, ','), '') from {accepted}) end as {accepted}

-- fragment: one_result
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, process_id, value)
select run_id, :node, :idx::integer, :outcome.succeeded, :attempt::integer, :token::bigint, :elapsed_us::bigint, :owner::uuid, :value

-- fragment: holds
unnest(:holds.ord::integer[], :holds.run::uuid[], :holds.task::bigint[], :holds.token::bigint[])
     as i (ord, run, task, token)

-- name: settle
-- moved tasks stay, as the next step's or for another try; next_node is null if the step does not move on. state is what the
-- task becomes: ready, leased, scheduled or, to mark a halt, halting; a suspect that would be ready stays one. Those removed go, with
-- the state run_ended if the run has succeeded with them. They come apart, and only what is recorded is returned, because copying wide rows
-- from one part of the statement to the next is what costs most.
-- Returns the places of those accepted, or nothing if all of them were, how many runs have succeeded (one that was stopped
-- meanwhile has not), and whether something follows one of them, which is marked.
with moved as (
  update standpipe.task t
  set node = coalesce(i.next_node, t.node),
      idx = coalesce(i.next_idx, t.idx),
      state = case when i.state = :state.ready and i.next_node is null and t.crashes >= 2 then :state.suspect else i.state end,
      owner = case when i.state = :state.leased then t.owner end,
      due_at = case when i.state = :state.scheduled then clock_timestamp() + i.delay_us * interval '1 microsecond' end,
      attempt = coalesce(i.next_attempt, t.attempt),
      crashes = case when i.next_node is null then t.crashes else 0 end,
      token = case when i.next_node is null then t.token else t.token + 1 end,
      seq = case when i.state = :state.leased then t.seq else nextval('standpipe.task_seq') end
  from unnest(:moved.run::uuid[], :moved.task::bigint[], :moved.token::bigint[],
              :moved.node::text[], :moved.idx::integer[], :moved.attempt::integer[],
              :moved.elapsed_us::bigint[], :moved.value::text[], :moved.next_node::text[],
              :moved.next_idx::integer[], :moved.state::smallint[],
              :moved.delay_us::bigint[], :moved.next_attempt::integer[])
       with ordinality as i (run, task, token, node, idx, attempt, elapsed_us, value, next_node,
                             next_idx, state, delay_us, next_attempt, ord)
  where {may_settle}
  returning i.run, i.node, i.idx, i.attempt, i.token, i.elapsed_us, i.value, i.state, i.ord
),
removed as (
  delete from standpipe.task t
  using unnest(:removed.run::uuid[], :removed.task::bigint[], :removed.token::bigint[],
              :removed.node::text[], :removed.idx::integer[], :removed.attempt::integer[],
              :removed.elapsed_us::bigint[], :removed.value::text[], :removed.state::smallint[])
       with ordinality as i (run, task, token, node, idx, attempt, elapsed_us, value, state, ord)
  where {may_settle}
  returning i.run, i.node, i.idx, i.attempt, i.token, i.elapsed_us, i.value, i.state, i.ord
),
recorded as (
  insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, process_id, value)
  select run, node, idx, case when value is null then :outcome.failed else :outcome.succeeded end, attempt, token, elapsed_us, :owner, value
  from (select * from moved union all select * from removed) accepted
  where value is not null or state = :state.halting
),
ended as (
  update standpipe.run r
  set status = 'succeeded', finished_at = clock_timestamp()
  from removed i
  where i.state = :state.run_ended and {run_goes_on(i.run)}
  returning r.id, r.followed
),
{marked}
select {places(moved, :moving)},
       {places(removed, :removing)},
       (select count(*) from ended) as ended,
       exists (select 1 from marked) as followed

-- name: settle_one_on
-- What settle does with a step that has a next one, for one alone: a process with little to do settles one at a time, and
-- to set up the statement for many takes longer than to run this.
with moved as (
  update standpipe.task t
  set node = :next_node, idx = :next_idx, state = :state,
      owner = case when :state::smallint = :state.leased then t.owner end,
      attempt = 1, crashes = 0, token = t.token + 1,
      seq = case when :state::smallint = :state.leased then t.seq else nextval('standpipe.task_seq') end
  where {may_settle_one}
  returning t.run_id
)
{one_result}
from moved

-- name: settle_one_last
-- What settle does with a step whose run ends with it, for one alone.
with removed as (
  delete from standpipe.task t
  where {may_settle_one}
  returning t.run_id
),
recorded as (
  {one_result}
  from removed
),
ended as (
  update standpipe.run r
  set status = 'succeeded', finished_at = clock_timestamp()
  from removed i
  where {run_goes_on(i.run_id)}
  returning r.id, r.followed
),
{marked}
select (select count(*) from removed) as removed, (select count(*) from ended) as ended,
       exists (select 1 from marked) as followed

-- name: settle_held
-- Of those refused, what the owner holds all the same, of runs that go on: these are paused, or were just now.
select i.ord
from {holds}
     join standpipe.task t
       on {is_held(i.run, i.task, i.token)}
where (select {goes_on(r.status)} from standpipe.run r where r.id = i.run)

-- name: settle_create
-- Most often a row is one task; a series for each of them would cost more than the task. Of many that are ready, some
-- at a time share a row: a bundle, which is the last of them. See docs/decisions/019.
with input as materialized (
  select *, i.count - i.leased > :bundle.few as bundled
  from unnest(:tasks.run::uuid[], :tasks.task::bigint[], :tasks.node::text[],
              :tasks.lane::integer[], :tasks.priority::smallint[], :tasks.first::integer[],
              :tasks.count::integer[], :tasks.leased::integer[], :tasks.era::bigint[])
       as i (run, task, node, lane, priority, first, count, leased, era)
),
created as (
  select i.run, i.task, i.node, i.first as idx, i.lane, i.priority, i.leased = 1 as leased, i.era, null::integer as first_index
  from input i
  where i.count = 1
  union all
  select i.run, i.task + (g - i.first), i.node, g, i.lane, i.priority, g < i.first + i.leased, i.era, null
  from input i, generate_series(i.first, i.first + case when i.bundled then i.leased else i.count end - 1) as g
  where i.count > 1
  union all
  select i.run, i.task + (b.idx - i.first), i.node, b.idx, i.lane, i.priority, false, i.era, nullif(g, b.idx)
  from input i, generate_series(i.first + i.leased, i.first + i.count - 1, :bundle.largest) as g,
       lateral (select least(g + :bundle.largest - 1, i.first + i.count - 1) as idx) b
  where i.bundled
)
insert into standpipe.task
  (run_id, id, node, idx, lane, priority, state, owner, token, attempt, crashes, first_index)
select run, task, node, idx, lane, priority,
       case when leased then :state.leased else :state.ready end, case when leased then :owner::uuid end,
       case when leased then era + 1 else era end, 1, 0, first_index
from created

-- name: settle_arrive
-- In key order, so that two settlements never wait for each other in a circle; and blocking, so that
-- of two last arrivals the second sees the first. What is proposed always differs from its need by the
-- delta, and is never below zero: a check is made on the proposed row even if one is there to change.
insert into standpipe.arrival as a (run_id, node, need, remaining)
select b.run, b.node, greatest(b.need, -b.delta), greatest(b.need, -b.delta) + b.delta
from unnest(:bumps.run::uuid[], :bumps.node::text[], :bumps.need::integer[], :bumps.delta::integer[])
     as b (run, node, need, delta)
order by b.run, b.node
on conflict (run_id, node) do update set remaining = a.remaining + excluded.remaining - excluded.need
returning run_id, node, remaining

-- name: settle_end
update standpipe.run r
set status = 'succeeded', finished_at = clock_timestamp()
from unnest(:runs.run::uuid[]) as i (run)
where {run_goes_on(i.run)}
returning r.id as run_id, r.followed > :followed.by_nothing as followed

-- name: settle_context
-- In key order, as all that is locked. A key that has another value and may not get a new one is not
-- counted.
insert into standpipe.context as c (run_id, key, value, replaces, node, idx, token)
select e.run, e.key, e.value, e.replaces = 1, e.node, e.idx, e.token
from unnest(:entries.run::uuid[], :entries.key::text[], :entries.value::text[],
            :entries.replaces::integer[], :entries.node::text[], :entries.idx::integer[],
            :entries.token::bigint[])
     as e (run, key, value, replaces, node, idx, token)
order by e.run, e.key
on conflict (run_id, key) do update
set value = excluded.value, replaces = excluded.replaces, node = excluded.node, idx = excluded.idx,
    token = excluded.token, written_at = clock_timestamp()
where c.value = excluded.value or excluded.replaces

-- name: settle_turns
insert into standpipe.turn (run_id, node, idx, turn, token, attempt, elapsed_us, value)
select x.run, x.node, x.idx, x.turn, x.token, x.attempt, x.elapsed_us, x.value
from unnest(:turns.run::uuid[], :turns.node::text[], :turns.idx::integer[], :turns.turn::integer[],
            :turns.token::bigint[], :turns.attempt::integer[], :turns.elapsed_us::bigint[], :turns.value::text[])
     as x (run, node, idx, turn, token, attempt, elapsed_us, value)

-- fragment: trims
unnest(:trims.run::uuid[], :trims.node::text[], :trims.idx::integer[], :trims.first::integer[], :trims.last::integer[])
     as x (run, node, idx, first, last)

-- name: settle_trim_attempts
-- Of the turns that go, which the last of these is one of.
delete from standpipe.attempt a
using {trims}
where (a.run_id, a.node, a.idx, a.token) >= (x.run, x.node, x.idx, 0)
  and (a.run_id, a.node, a.idx, a.token) <= (x.run, x.node, x.idx, (
        select t.token from standpipe.turn t
        where t.run_id = x.run and t.node = x.node and t.idx = x.idx and t.turn = x.last))

-- name: settle_trim_turns
-- From the oldest that is there, so that no index entries of those that went before are gone through.
delete from standpipe.turn t
using {trims}
where (t.run_id, t.node, t.idx, t.turn) >= (x.run, x.node, x.idx, x.first)
  and (t.run_id, t.node, t.idx, t.turn) <= (x.run, x.node, x.idx, x.last)

-- name: settle_tolerate
insert into standpipe.tolerated (run_id, node, reason)
select f.run, f.node, f.reason
from unnest(:failures.run::uuid[], :failures.node::text[], :failures.reason::text[]) as f (run, node, reason)
order by f.run, f.node
on conflict do nothing

-- name: settle_close
-- The end of runs that may have tolerated failures: a run that has ends with the reason of the first of
-- them; see the table.
update standpipe.run r
set status = {ended_for(f.reason)},
    halt_reason = f.reason, halt_node = f.node, finished_at = clock_timestamp()
from unnest(:runs.run::uuid[]) as i (run)
     left join lateral (
       select reason, node from standpipe.tolerated where run_id = i.run order by failed_at, node limit 1
     ) f on true
where {run_goes_on(i.run)}
returning r.id as run_id, r.followed > :followed.by_nothing as followed, r.status

-- name: settle_attempts
insert into standpipe.attempt
  (run_id, node, idx, token, attempt, process_id, outcome, elapsed_us, error_type, error, trace)
select x.run, x.node, x.idx, x.token, x.attempt, :owner, x.outcome, x.elapsed_us, x.error_type, x.error, x.trace
from unnest(:attempts.run::uuid[], :attempts.node::text[], :attempts.idx::integer[],
            :attempts.token::bigint[], :attempts.attempt::integer[], :attempts.outcome::text[],
            :attempts.elapsed_us::bigint[], :attempts.error_type::text[], :attempts.error::text[],
            :attempts.trace::text[])
     as x (run, node, idx, token, attempt, outcome, elapsed_us, error_type, error, trace)

-- name: settle_halt
with halting as (
  update standpipe.run r
  set status = {stopped_for(i.reason)}, halt_reason = i.reason, halt_node = i.node
  from unnest(:halts.run::uuid[], :halts.reason::text[], :halts.node::text[]) as i (run, reason, node)
  where {run_goes_on(i.run)}
  returning r.id
)
{list_halting}

-- name: settle_finish
-- Of those who end a run at once the first decides, and none if it was stopped otherwise before.
insert into standpipe.finish (run_id, node, value)
select i.run, i.node, i.value
from unnest(:finishes.run::uuid[], :finishes.node::text[], :finishes.value::text[]) as i (run, node, value)
where exists (select 1 from standpipe.run r
              where r.id = i.run and r.status = 'finishing' and r.halt_node = i.node)
on conflict do nothing

-- name: settle_finish_by
-- What the run's other bodies have to end: they go the way of those of a canceled run.
insert into standpipe.canceling (run_id, cut_off_at)
select i.run, clock_timestamp() + max(i.grace_us) * interval '1 microsecond'
from unnest(:finishes.run::uuid[], :finishes.grace_us::bigint[]) as i (run, grace_us)
where exists (select 1 from standpipe.run r
              where r.id = i.run and r.status = 'finishing')
  and not exists (select 1 from standpipe.canceling c where c.run_id = i.run)
group by i.run

-- name: settle_drain
-- For runs that do not go on: the task goes, nothing follows.
delete from standpipe.task t
using {holds}
where {is_held(i.run, i.task, i.token)}
  and not (select {goes_on(r.status)} from standpipe.run r where r.id = i.run)
returning i.ord

-- name: settle_record
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, process_id, value)
select x.run, x.node, x.idx, x.outcome, x.attempt, x.token, x.elapsed_us, :owner, x.value
from unnest(:results.run::uuid[], :results.node::text[], :results.idx::integer[],
            :results.outcome::smallint[], :results.attempt::integer[], :results.token::bigint[],
            :results.elapsed_us::bigint[], :results.value::text[])
     as x (run, node, idx, outcome, attempt, token, elapsed_us, value)

-- name: settle_elements
-- Of one expand, which says once what its elements have in common.
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, process_id, value)
select :run::uuid, :node::text, :first::integer + e.ord::integer - 1, :outcome.element, :attempt::integer, :token::bigint,
       :elapsed_us::bigint, :owner::uuid, e.value
from unnest(:elements.value::text[]) with ordinality as e (value, ord)
