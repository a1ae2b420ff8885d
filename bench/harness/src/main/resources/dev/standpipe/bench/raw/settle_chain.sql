-- One commit for a batch of steps that hand their task on, or end their run. Rows are found by a range
-- of one key, as in Standpipe: it is looked up whatever the planner believes about the size of the table.
with input as materialized (
  select * from unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[])
       as i (run, task, token, node, next, value)
),
moved as (
  update raw_task t
  set node = i.next, token = t.token + 1, attempt = 1, crashes = 0
  from input i
  where i.next is not null
    and (t.run_id, t.id) >= (i.run, i.task) and (t.run_id, t.id) <= (i.run, i.task)
    and t.token = i.token and t.owner is not distinct from ?::uuid and t.state + 0 = 1
  returning i.run, i.node, i.token, i.value
),
removed as (
  delete from raw_task t
  using input i
  where i.next is null
    and (t.run_id, t.id) >= (i.run, i.task) and (t.run_id, t.id) <= (i.run, i.task)
    and t.token = i.token and t.owner is not distinct from ?::uuid and t.state + 0 = 1
  returning i.run, i.node, i.token, i.value
),
recorded as (
  insert into raw_result (run_id, node, idx, outcome, attempt, token, elapsed_us, process, value)
  select run, node, 0, 1, 1, token, 0, ?::uuid, value from moved
  union all
  select run, node, 0, 1, 1, token, 0, ?::uuid, value from removed
),
ended as (
  update raw_run r
  set status = 'succeeded', finished_at = clock_timestamp()
  from removed d
  where r.id >= d.run and r.id <= d.run and r.status = 'running'
)
select (select count(*) from moved) + (select count(*) from removed) as accepted
