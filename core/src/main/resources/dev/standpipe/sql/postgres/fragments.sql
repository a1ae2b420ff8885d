-- What shared statements leave to PostgreSQL.

-- fragment: now
-- The time as columns hold it. It goes on within a transaction.
clock_timestamp()

-- fragment: duration(us)
-- Microseconds as what is added to a time.
{us} * interval '1 microsecond'

-- fragment: micros(time)
-- A time as Java reads it: microseconds since 1970.
(extract(epoch from {time}) * 1000000)::bigint

-- fragment: time(us)
-- Microseconds since 1970 as a time.
timestamptz 'epoch' + {us}::bigint * interval '1 microsecond'

-- fragment: time_left(time)
-- The microseconds until a time, none if it has passed.
greatest(0, extract(epoch from {time} - {now}) * 1000000)::bigint

-- fragment: typed(value, type)
-- A parameter, or a null, whose type its place does not tell.
{value}::{type}

-- fragment: text(id)
-- An id as people read it.
{id}::text

-- fragment: is_true(flag)
-- A column that says yes or no, by its index.
{flag}

-- fragment: for_update
-- Keeps the rows that are read as they are, for this transaction to change.
for update

-- fragment: for_share
-- Keeps the rows that are read as they are.
for share

-- fragment: for_update_skip_locked(table)
-- The same, of rows that nobody else keeps.
for update of {table} skip locked

-- fragment: next_seq(task)
-- The place behind all that are ready.
nextval('standpipe.task_seq')

-- fragment: live
-- Each run once for each of its tasks.
standpipe.live

-- fragment: paused_runs
-- Of the run r, by the index that rare statuses have.
r.rare_status = 'paused'

-- fragment: listed_runs
-- The runs of a list, as r.
unnest(:runs.run::uuid[]) as i (run),
     lateral (select id, status from standpipe.run where id = i.run offset 0) r

-- fragment: settled_keys
-- Steps of a list with their tokens, as k, numbered.
unnest(:keys.run::uuid[], :keys.node::text[], :keys.idx::integer[], :keys.token::bigint[])
     with ordinality as k (run, node, idx, token, ord)

-- What statements of PostgreSQL have in common.

-- fragment: is_task(run, task)
-- t is this task. By a range, so that it is looked up whatever the plan: see settle.sql.
(t.run_id, t.id) >= ({run}, {task}) and (t.run_id, t.id) <= ({run}, {task})

-- fragment: run_goes_on(run)
-- r is this run, and it goes on. It may be paused: a process that settles a step of it may not have seen that yet.
r.id >= {run} and r.id <= {run} and {goes_on(r.status)}

-- fragment: not_listed(run)
-- The run is not on the list of those that are stopped.
(select s.run_id from standpipe.stopped s where s.run_id = {run}) is null

-- fragment: not_stopped(run)
-- The same for many at once: most often the list is empty.
not (select exists (select 1 from standpipe.stopped))
    or {not_listed({run})}

-- fragment: list_halting
-- Puts the runs that are halting on the list of those that are stopped; one that was paused is there.
insert into standpipe.stopped (run_id) select id from halting
on conflict (run_id) do update set run_id = excluded.run_id

-- fragment: unlist_ended
-- Takes a run that has ended off the list of those that are stopped.
ended as (
  delete from standpipe.stopped s
  using standpipe.run r
  where s.run_id = :run and r.id = s.run_id and r.finished_at is not null
)
