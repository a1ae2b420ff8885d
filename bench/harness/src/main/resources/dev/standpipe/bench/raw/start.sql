with input as materialized (
  select * from unnest(?::uuid[], ?::text[]) with ordinality as i (id, value, ord)
),
runs as (
  insert into raw_run (id, pipeline, lane, priority, labels)
  select id, 'raw', 1, 0, '{}' from input
),
results as (
  insert into raw_result (run_id, node, idx, outcome, attempt, token, elapsed_us, value)
  select id, '$input', 0, 1, 0, 0, 0, value from input
)
insert into raw_task (run_id, id, node, idx, lane, priority, state, token, attempt, crashes)
select id, 1, ?, 0, 1, 0, 0, 0, 1, 0 from input order by ord
