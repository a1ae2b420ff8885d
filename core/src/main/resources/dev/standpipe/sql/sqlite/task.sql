-- fragment: may_begin
-- Whether the task that was claimed may: its run is neither stopped nor paused.
(select r.status = 'running' from standpipe.run r where r.id = run_id) as running

-- fragment: result_of_key
r.run_id = k.value ->> 0 and r.node = k.value ->> 1

-- name: task_ready_lanes
-- From one lane to the next through the index, however much each has. Those where tasks are parked are among them: nobody serves
-- these, so nobody takes from them.
with recursive ready (lane) as (
  select (select lane from standpipe.task where state = :state.ready order by lane limit 1)
  union all
  select (select t.lane from standpipe.task t where t.state = :state.ready and t.lane > ready.lane order by t.lane limit 1)
  from ready
  where ready.lane is not null
)
select lane from ready where lane is not null

-- name: task_claim
-- One lane at a time: a limit cannot depend on a row. One transaction writes at a time, so what was
-- chosen is still ready when it is updated; the state is asserted again all the same. A process without a row gets nothing.
update standpipe.task
set state = :state.leased, owner = :owner, token = token + 1
where state = :state.ready
  and (run_id, id) in (
    select run_id, id
    from standpipe.task
    where lane = :lane and state = :state.ready and exists (select 1 from standpipe.process where id = :owner)
    order by priority desc, seq
    limit :limit
  )
returning run_id, id, node, idx, lane, priority, token, attempt, crashes, seq,
  {may_begin}

-- name: task_claim_suspects
-- Those that may share a process with the most come first, and then the least suspected: the innocent are soon cleared. Each
-- counts itself, those before it and those that the process holds, and is taken if it may be one of so many. As they are in
-- order, all before it are taken too, and may be.
update standpipe.task as t
set state = :state.leased, owner = :owner, token = token + 1, max_suspects = c.together
from (
  select run_id, id, :held + count(*) over () as together
  from (
    select run_id, id, coalesce(max_suspects, :suspects.most) as max_suspects,
           :held + row_number() over (order by coalesce(max_suspects, :suspects.most) desc, crashes, seq) as rank
    from standpipe.task
    where state = :state.suspect and lane in (select value ->> 0 from jsonb_each(:lanes))
      and exists (select 1 from standpipe.process where id = :owner)
    order by coalesce(max_suspects, :suspects.most) desc, crashes, seq
    limit :most
  )
  where rank <= max_suspects
) c
where t.run_id = c.run_id and t.id = c.id and t.state = :state.suspect
returning run_id, id, node, idx, lane, priority, token, attempt, crashes, seq,
  {may_begin}

-- name: task_values
select r.value
from jsonb_each(:keys) k
     left join standpipe.result r
       on {result_of_key} and r.idx = k.value ->> 2
          and r.outcome <> :outcome.failed
order by k.key

-- name: task_last_turns
-- A row for each loop; empty if none of its turns has ended.
select l.turn, l.value,
       (select min(t.turn) from standpipe.turn t
        where t.run_id = k.value ->> 0 and t.node = k.value ->> 1 and t.idx = k.value ->> 2) as oldest
from jsonb_each(:keys) k
     left join standpipe.turn l
       on l.run_id = k.value ->> 0 and l.node = k.value ->> 1 and l.idx = k.value ->> 2
          and l.turn = (select max(t.turn) from standpipe.turn t
                        where t.run_id = k.value ->> 0 and t.node = k.value ->> 1 and t.idx = k.value ->> 2)
order by k.key

-- name: task_endings
select exists (select 1 from standpipe.result r
               where {result_of_key}
                 and r.idx between k.value ->> 2 and k.value ->> 3 and r.outcome = :outcome.skipped) as skipped,
       exists (select 1 from standpipe.result r
               where {result_of_key}
                 and r.idx between k.value ->> 2 and k.value ->> 3
                 and r.outcome = :outcome.failed and r.attempt > 0) as failed,
       exists (select 1 from standpipe.result r
               where {result_of_key}
                 and r.idx between k.value ->> 2 and k.value ->> 3
                 and r.outcome = :outcome.failed and r.attempt = 0) as upstream_failed,
       (select r.value from standpipe.result r
        where {result_of_key}
          and r.idx = max(k.value ->> 2, 0)) as value
from jsonb_each(:keys) k
order by k.key

-- name: task_live
-- Never more than the limit: the caller wants to know whether there are fewer.
select count(*) as live
from (select 1
      from standpipe.task
      where run_id = :run and node in (select value ->> 0 from jsonb_each(:nodes)) and state <> :state.halting
      limit :limit) t

-- name: task_tolerated
select o.run_id, o.node
from jsonb_each(:runs) i
     cross join standpipe.tolerated o on o.run_id = i.value ->> 0

-- name: task_promote
update standpipe.task as task
set state = {claimable(task)}, due_at = null,
    seq = p.place + {last_seq(task.lane, task.priority)}
from (select run_id, id, row_number() over (order by due_at) as place
      from standpipe.task
      where state = :state.scheduled and due_at <= {now}
      order by due_at
      limit :limit) p
where task.run_id = p.run_id and task.id = p.id and task.state = :state.scheduled
