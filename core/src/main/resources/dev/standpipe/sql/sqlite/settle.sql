-- Settling first asks which tasks are still leased to the owner with the very token, and what their
-- run is; then it moves or removes those alone and writes what follows. All of it is
-- one transaction that began as a writer, so the answer holds to its end; each write asserts the
-- token again all the same.

-- fragment: held
-- What the owner still holds of a list with the very token, as i, with its task t and its run r.
from jsonb_each(:holds) i
     cross join standpipe.task t
       on t.run_id = i.value ->> 1 and t.id = i.value ->> 2 and t.token = i.value ->> 3
     cross join standpipe.run r on r.id = t.run_id
where t.owner = :owner and t.state = :state.leased

-- fragment: still_has_token
-- t is the task of i, and nobody has claimed it since.
t.run_id = i.run and t.id = i.task and t.token = i.token

-- fragment: among_the_held
(run_id, id, token) in (
  select value ->> 1, value ->> 2, value ->> 3 from jsonb_each(:holds)
)

-- fragment: first_tolerated(column)
(select {column} from standpipe.tolerated where run_id = i.value ->> 0 order by failed_at, node limit 1) as {column}

-- name: settle_guard
select i.value ->> 0 as ord, {goes_on(r.status)} as goes_on, r.status = 'paused' as paused
{held}

-- name: settle_held
-- Of those refused, what the owner holds all the same, of runs that go on: these are paused, or were just now.
select i.value ->> 0 as ord
{held} and {goes_on(r.status)}

-- name: settle_hand_over
-- Sets no column that an index holds.
update standpipe.task as t
set node = i.node, idx = i.idx, attempt = 1, crashes = 0, token = t.token + 1
from (select value ->> 0 as run, value ->> 1 as task, value ->> 2 as token, value ->> 3 as node,
             value ->> 4 as idx
      from jsonb_each(:moves)) i
where {still_has_token}

-- name: settle_go_on
-- An expand has yielded elements and goes on: no other may settle it with the token it had.
update standpipe.task
set crashes = 0, token = token + 1
where {among_the_held}

-- name: settle_move
update standpipe.task as t
set node = coalesce(i.next_node, t.node),
    idx = coalesce(i.next_idx, t.idx),
    state = case when i.state = :state.ready and i.next_node is null and t.crashes >= 2 then :state.suspect else i.state end,
    owner = null,
    due_at = case when i.state = :state.scheduled then {now} + i.delay_us end,
    attempt = coalesce(i.next_attempt, t.attempt),
    crashes = case when i.next_node is null then t.crashes else 0 end,
    token = case when i.next_node is null then t.token else t.token + 1 end,
    seq = 1 + i.ord + {last_seq(t.lane, t.priority)}
from (select key as ord, value ->> 0 as run, value ->> 1 as task, value ->> 2 as token,
             value ->> 8 as next_node, value ->> 9 as next_idx, value ->> 10 as state,
             value ->> 11 as delay_us, value ->> 12 as next_attempt
      from jsonb_each(:settled)) i
where {still_has_token}

-- name: settle_remove
delete from standpipe.task
where {among_the_held}

-- name: settle_record
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, process_id, value)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
       :owner, value ->> 7
from jsonb_each(:results)

-- name: settle_create
insert into standpipe.task
  (run_id, id, node, idx, lane, priority, state, owner, token, attempt, crashes, seq)
with recursive c (run, task, node, lane, priority, idx, ready_from, ends, era) as (
  select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
         (value ->> 5) + (value ->> 7), (value ->> 5) + (value ->> 6), value ->> 8
  from jsonb_each(:tasks)
  where value ->> 6 > 0
  union all
  select run, task + 1, node, lane, priority, idx + 1, ready_from, ends, era
  from c
  where idx + 1 < ends
)
select run, task, node, idx, lane, priority,
       idx < ready_from,
       case when idx < ready_from then :owner end,
       era + (idx < ready_from),
       1, 0,
       row_number() over () +
         {last_seq(c.lane, c.priority)}
from c

-- name: settle_arrive
-- What is proposed always differs from its need by the change, and is never below zero: a check is
-- made on the proposed row even if it then only changes one that is there.
insert into standpipe.arrival as a (run_id, node, need, remaining)
select value ->> 0, value ->> 1, max(value ->> 2, -(value ->> 3)), max(value ->> 2, -(value ->> 3)) + (value ->> 3)
from jsonb_each(:bumps)
where true
on conflict (run_id, node) do update set remaining = a.remaining + excluded.remaining - excluded.need
returning run_id, node, remaining

-- name: settle_end
update standpipe.run
set status = 'succeeded', finished_at = {now}
where {goes_on(status)} and id in (select value ->> 0 from jsonb_each(:runs))
returning id as run_id, followed > :followed.by_nothing as followed

-- name: settle_context
-- A key that has another value and may not get a new one is not counted.
insert into standpipe.context as c (run_id, key, value, replaces, node, idx, token)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
from jsonb_each(:entries)
where true
on conflict (run_id, key) do update
set value = excluded.value, replaces = excluded.replaces, node = excluded.node, idx = excluded.idx,
    token = excluded.token, written_at = {now}
where c.value = excluded.value or excluded.replaces

-- name: settle_turns
insert into standpipe.turn (run_id, node, idx, turn, token, attempt, elapsed_us, value)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7
from jsonb_each(:turns)

-- name: settle_trim_attempts
-- Of the turns that go, which the last of these is one of.
delete from standpipe.attempt
where (run_id, node, idx, token) in (
  select a.run_id, a.node, a.idx, a.token
  from jsonb_each(:trims) x
       cross join standpipe.turn t
         on t.run_id = x.value ->> 0 and t.node = x.value ->> 1 and t.idx = x.value ->> 2 and t.turn = x.value ->> 4
       cross join standpipe.attempt a
         on a.run_id = t.run_id and a.node = t.node and a.idx = t.idx and a.token <= t.token)

-- name: settle_trim_turns
delete from standpipe.turn
where (run_id, node, idx, turn) in (
  select t.run_id, t.node, t.idx, t.turn
  from jsonb_each(:trims) x
       cross join standpipe.turn t
         on t.run_id = x.value ->> 0 and t.node = x.value ->> 1 and t.idx = x.value ->> 2
            and t.turn between x.value ->> 3 and x.value ->> 4)

-- name: settle_tolerate
insert into standpipe.tolerated (run_id, node, reason)
select value ->> 0, value ->> 1, value ->> 2
from jsonb_each(:failures)
where true
on conflict do nothing

-- name: settle_close
-- The end of runs that may have tolerated failures: a run that has ends with the reason of the first of
-- them; see the table.
update standpipe.run as r
set status = {ended_for(f.reason)},
    halt_reason = f.reason, halt_node = f.node, finished_at = {now}
from (select i.value ->> 0 as run,
             {first_tolerated(reason)},
             {first_tolerated(node)}
      from jsonb_each(:runs) i) f
where r.id = f.run and {goes_on(r.status)}
returning id as run_id, followed > :followed.by_nothing as followed, status

-- name: settle_attempts
insert into standpipe.attempt
  (run_id, node, idx, token, attempt, process_id, outcome, elapsed_us, error_type, error, trace)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, :owner, value ->> 5,
       value ->> 6, value ->> 7, value ->> 8, value ->> 9
from jsonb_each(:attempts)

-- name: settle_halt
update standpipe.run as r
set status = {stopped_for(i.reason)}, halt_reason = i.reason, halt_node = i.node
from (select value ->> 0 as run, value ->> 1 as reason, value ->> 2 as node from jsonb_each(:halts)) i
where r.id = i.run and {goes_on(r.status)}

-- name: settle_finish
-- Of those who end a run at once the first decides, and none if it was stopped otherwise before.
insert into standpipe.finish (run_id, node, value)
select i.value ->> 0, i.value ->> 1, i.value ->> 2
from jsonb_each(:finishes) i
where exists (select 1 from standpipe.run r
              where r.id = i.value ->> 0 and r.status = 'finishing'
                and r.halt_node = i.value ->> 1)
on conflict do nothing

-- name: settle_finish_by
-- What the run's other bodies have to end: they go the way of those of a canceled run.
insert into standpipe.canceling (run_id, cut_off_at)
select i.value ->> 0, {now} + max(i.value ->> 3)
from jsonb_each(:finishes) i
where exists (select 1 from standpipe.run r
              where r.id = i.value ->> 0 and r.status = 'finishing')
  and not exists (select 1 from standpipe.canceling c where c.run_id = i.value ->> 0)
group by i.value ->> 0
