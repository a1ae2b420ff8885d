-- fragment: result_of_key
r.run_id = k.run and r.node = k.node

-- name: task_claim
-- One limit for all lanes, shared evenly among the first of them that have ready work: a lane without any costs one look at the
-- index and none of the room. The lanes come in the order in which it is their turn.
-- Dead index entries of tasks that were taken are in the way while an old snapshot is open, so a look begins at the last one's place,
-- and what follows begins where the look has ended. The candidates' addresses are an array, computed once and under lock: no plan can
-- update more rows than the shares add up to. The state is asserted again on the row that is updated.
-- Of each lane, the first bundle comes in its turn: what is before it is claimed, then as many of those in it as there is still
-- room for. Elements get rows, leased at once, and are returned as one that says how many were made; the last of them stays, as the
-- bundle or at last as a task like any other. Runs are leased in parts, each of what one commit settles, and returned one by one
-- with their inputs; their bundle goes when it is empty.
-- A process without a row gets nothing: it was reaped, or lost in a failover with all it had registered. This is asked
-- once; a claim that a reaper overtakes leaves orphans, which nobody is blamed for.
with busy as materialized (
  select q.lane, q.turn, f.priority, f.seq
  from unnest(:queues.lane::integer[], :queues.priority::smallint[], :queues.seq::bigint[])
         with ordinality as q (lane, priority, seq, turn),
       lateral (
         select priority, seq
         from standpipe.task
         where lane = q.lane and state = :state.ready
           and (lane, -priority, seq) >= (q.lane, -q.priority, q.seq)
         order by lane, -priority, seq
         limit 1
       ) f
  where exists (select 1 from standpipe.process where id = :owner)
  limit :limit
),
share as materialized (
  select s.lane, s.n, s.priority as first, s.seq as place, b.*
  from (
         select lane, priority, seq,
                :limit / count(*) over ()
                + case when row_number() over (order by turn) <= :limit % count(*) over () then 1 else 0 end as n
         from busy
       ) s
       left join lateral (
         select run_id, id, node, idx, first_index, coalesce(cardinality(runs), idx) as until, runs, priority, token, seq
         from standpipe.task
         where lane = s.lane and state = :state.ready and first_index is not null
           and (lane, -priority, seq) >= (s.lane, -s.priority, s.seq)
         order by lane, -priority, seq
         limit 1
         for update skip locked
       ) b on true
),
claimed as (
  update standpipe.task t
  set state = :state.leased, owner = :owner, token = t.token + 1
  where t.state + 0 = :state.ready
    and t.ctid = any (array(
      select c.ctid
      from share b,
           lateral (
             select ctid
             from standpipe.task
             where lane = b.lane and state = :state.ready and first_index is null
               and (lane, -priority, seq) >= (b.lane, -b.first, b.place)
               and (lane, -priority, seq)
                   < (b.lane, coalesce(-b.priority, 32767::smallint), coalesce(b.seq, 9223372036854775807))
             order by lane, -priority, seq
             limit b.n
             for update skip locked
           ) c
    ))
  returning t.run_id, t.id, t.node, t.idx, t.lane, t.priority, t.token, t.attempt, t.crashes, t.seq
),
opening as materialized (
  select b.*, least(b.n - (select count(*) from claimed c where c.lane = b.lane), b.until - b.first_index)::integer as taken
  from share b
  where b.first_index is not null
),
opened as (
  update standpipe.task t
  set first_index = nullif(o.first_index + o.taken, t.idx)
  from opening o
  where o.taken > 0 and (o.runs is null or o.first_index + o.taken < o.until)
    and {is_task(o.run_id, o.id)}
    and t.state + 0 = :state.ready
  returning o.*
),
emptied as (
  delete from standpipe.task t
  using opening o
  where o.taken > 0 and o.runs is not null and o.first_index + o.taken = o.until
    and {is_task(o.run_id, o.id)}
    and t.state + 0 = :state.ready
  returning o.*
),
made as (
  insert into standpipe.task
    (run_id, id, node, idx, lane, priority, state, owner, token, attempt, crashes, seq)
  select o.run_id, o.id - o.idx + g, o.node, g, o.lane, o.priority, :state.leased, :owner, o.token + 1, 1, 0, o.seq
  from opened o, generate_series(o.first_index, o.first_index + o.taken - 1) as g
  where o.runs is null
),
part as (
  insert into standpipe.task
    (run_id, id, node, idx, lane, priority, state, owner, token, attempt, crashes, seq, first_index, runs, done)
  select o.run_id, o.id + g + 1, o.node, g + 1, o.lane, o.priority, :state.leased, :owner, o.token + 1, 1, 0, o.seq,
         0, o.runs[g + 1 : e.until], repeat('0', e.until - g)::bit varying
  from (select * from opened union all select * from emptied) o,
       generate_series(o.first_index, o.first_index + o.taken - 1, :part.largest) as g,
       lateral (select least(g + :part.largest, o.first_index + o.taken) as until) e
  where o.runs is not null
  returning *
)
select c.*, (select count(*) from busy) as lanes,
       {not_stopped(c.run_id)} as running,
       case when c.place > 0 then (select r.value from standpipe.result r
                                   where r.run_id = c.run_id and r.node = :node.input and r.idx = 0) end as input
from (
  select *, 0 as made, null::uuid as bundle, 0 as part, 0 as place from claimed
  union all
  select run_id, id - idx + first_index, node, first_index, lane, priority, token + 1, 1, 0, seq, taken, null, 0, 0
  from opened where runs is null
  union all
  select m.run, p.id - p.idx, p.node, 0, p.lane, p.priority, p.token, p.attempt, p.crashes, p.seq,
         0, p.run_id, p.id, m.place::integer
  from part p, unnest(p.runs) with ordinality as m (run, place)
  order by priority desc, seq, part, place
  offset 0
) c

-- name: task_claim_suspects
-- Those that may share a process with the most come first, and then the least suspected: the innocent are soon cleared. Each
-- counts itself, those before it and those that the process holds, and is taken if it may be one of so many. As they are in
-- order, all before it are taken too, and may be. They are locked and numbered once, whatever the plan.
with candidate as materialized (
  select ctid as address, coalesce(max_suspects, :suspects.most) as max_suspects, crashes, seq
  from standpipe.task
  where state = :state.suspect and lane = any (:lanes.lane::integer[])
    and exists (select 1 from standpipe.process where id = :owner)
  order by coalesce(max_suspects, :suspects.most) desc, crashes, seq
  limit :most
  for update skip locked
),
ranked as materialized (
  select address, max_suspects, :held::integer + row_number() over (order by max_suspects desc, crashes, seq) as rank
  from candidate
),
chosen as materialized (
  select address from ranked where rank <= max_suspects
)
update standpipe.task t
set state = :state.leased, owner = :owner, token = t.token + 1,
    max_suspects = (select :held::integer + count(*) as together from chosen)
where t.ctid = any (array(select address from chosen)) and t.state + 0 = :state.suspect
returning t.run_id, t.id, t.node, t.idx, t.lane, t.priority, t.token, t.attempt, t.crashes, t.seq,
  {not_listed(t.run_id)} as running

-- name: task_values
select r.value
from unnest(:keys.run::uuid[], :keys.node::text[], :keys.idx::integer[])
     with ordinality as k (run, node, idx, ord)
     left join lateral (
       select value
       from standpipe.result
       where run_id = k.run and node = k.node and idx = k.idx and outcome <> :outcome.failed
       offset 0
     ) r on true
order by k.ord

-- name: task_last_turns
-- A row for each loop; empty if none of its turns has ended.
select l.turn, l.value,
       (select min(t.turn) from standpipe.turn t where t.run_id = k.run and t.node = k.node and t.idx = k.idx) as oldest
from unnest(:keys.run::uuid[], :keys.node::text[], :keys.idx::integer[])
     with ordinality as k (run, node, idx, ord)
     left join lateral (
       select turn, value
       from standpipe.turn
       where run_id = k.run and node = k.node and idx = k.idx
       order by turn desc
       limit 1
     ) l on true
order by k.ord

-- name: task_endings
select exists (select 1 from standpipe.result r
               where {result_of_key} and r.idx between k.first and k.last
                 and r.outcome = :outcome.skipped) as skipped,
       exists (select 1 from standpipe.result r
               where {result_of_key} and r.idx between k.first and k.last
                 and r.outcome = :outcome.failed and r.attempt > 0) as failed,
       exists (select 1 from standpipe.result r
               where {result_of_key} and r.idx between k.first and k.last
                 and r.outcome = :outcome.failed and r.attempt = 0) as upstream_failed,
       (select r.value from standpipe.result r
        where {result_of_key} and r.idx = greatest(k.first, 0)) as value
from unnest(:keys.run::uuid[], :keys.node::text[], :keys.first::integer[], :keys.last::integer[])
     with ordinality as k (run, node, first, last, ord)
order by k.ord

-- name: task_live
-- Never more than the limit: the caller wants to know whether there are fewer.
select least(:limit, coalesce(sum(size), 0)) as live
from (select 1 + coalesce(idx - first_index, 0) as size
      from standpipe.task
      where run_id = :run and node in (select unnest(:nodes.node::text[])) and state <> :state.halting
      limit :limit) t

-- name: task_tolerated
select o.run_id, o.node
from unnest(:runs.run::uuid[]) as i (run)
     join standpipe.tolerated o on o.run_id = i.run

-- name: task_promote
-- Locked and numbered in the order of their times, once, whatever the plan.
with due as materialized (
  select ctid as address
  from standpipe.task
  where state = :state.scheduled and due_at <= clock_timestamp()
  order by due_at
  limit :limit
  for update skip locked
),
numbered as materialized (
  select address, nextval('standpipe.task_seq') as seq from due
)
update standpipe.task t
set state = {claimable(t)}, due_at = null, seq = n.seq
from numbered n
where t.ctid = n.address and t.state + 0 = :state.scheduled
