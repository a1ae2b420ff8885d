-- One commit for a batch of steps that may also branch and arrive. What a step spawns is leased at
-- once, the first of it in the step's own row; the last arrival at a join makes its task. Arrivals
-- go in key order and block: of two last ones the second sees the first.
with input as materialized (
  select * from unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::text[], ?::integer[], ?::text[],
                       ?::integer[], ?::boolean[], ?::text[], ?::integer[], ?::text[])
       as i (run, task, token, node, idx, next, spawn, spread, join_node, need, value)
),
moved as (
  update raw_task t
  set node = i.next, idx = 0, token = t.token + 1, attempt = 1, crashes = 0
  from input i
  where i.next is not null
    and (t.run_id, t.id) >= (i.run, i.task) and (t.run_id, t.id) <= (i.run, i.task)
    and t.token = i.token and t.owner is not distinct from ?::uuid and t.state + 0 = 1
  returning i.*
),
removed as (
  delete from raw_task t
  using input i
  where i.next is null
    and (t.run_id, t.id) >= (i.run, i.task) and (t.run_id, t.id) <= (i.run, i.task)
    and t.token = i.token and t.owner is not distinct from ?::uuid and t.state + 0 = 1
  returning i.*
),
accepted as materialized (
  select * from moved union all select * from removed
),
recorded as (
  insert into raw_result (run_id, node, idx, outcome, attempt, token, elapsed_us, process, value)
  select run, node, idx, 1, 1, token, 0, ?::uuid, value from accepted
),
elements as (
  insert into raw_result (run_id, node, idx, outcome, attempt, token, elapsed_us, process, value)
  select e.run, e.node, e.idx, 3, 1, 0, 0, ?::uuid, e.value
  from unnest(?::uuid[], ?::text[], ?::integer[], ?::text[]) as e (run, node, idx, value)
  where e.run in (select run from moved)
),
spawned as (
  insert into raw_task (run_id, id, node, idx, lane, priority, state, owner, token, attempt, crashes)
  select m.run, 1 + g, case when m.spread then m.next else 'branch-' || g end,
         case when m.spread then g else 0 end, 1, 0, 1, ?::uuid, 1, 1, 0
  from moved m, generate_series(1, m.spawn - 1) as g
),
arrived as (
  insert into raw_arrival as a (run_id, node, need, remaining)
  select run, join_node, max(need), max(need) - count(*)
  from removed where join_node is not null
  group by run, join_node order by run, join_node
  on conflict (run_id, node)
  do update set remaining = a.remaining + excluded.remaining - excluded.need
  returning run_id, node, remaining
),
joined as (
  insert into raw_task (run_id, id, node, idx, lane, priority, state, owner, token, attempt, crashes)
  select run_id, 0, node, 0, 1, 0, 1, ?::uuid, 1, 1, 0 from arrived where remaining = 0
  returning run_id, node
),
ended as (
  update raw_run r
  set status = 'succeeded', finished_at = clock_timestamp()
  from removed d
  where d.join_node is null and r.id >= d.run and r.id <= d.run and r.status = 'running'
)
select null::uuid as run, null::text as node, count(*) as accepted from accepted
union all
select run_id, node, 0 from joined
