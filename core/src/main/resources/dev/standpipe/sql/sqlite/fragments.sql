-- What shared statements leave to SQLite.

-- fragment: now
-- The time as columns hold it: microseconds since 1970.
cast(unixepoch('subsec') * 1000000 as integer)

-- fragment: duration(us)
-- Microseconds as what is added to a time.
{us}

-- fragment: micros(time)
-- A time as Java reads it.
{time}

-- fragment: time(us)
-- Microseconds since 1970 as a time.
{us}

-- fragment: time_left(time)
-- The microseconds until a time, none if it has passed.
max(0, {time} - {now})

-- fragment: typed(value, type)
-- A value has a type here wherever it stands.
{value}

-- fragment: text(id)
-- Ids are text.
{id}

-- fragment: is_true(flag)
-- A column that says yes or no.
{flag} = 1

-- fragment: for_update
-- Nothing: one transaction writes at a time, from its beginning on.

-- fragment: for_share

-- fragment: for_update_skip_locked(table)

-- fragment: last_seq(lane, priority)
-- The place of the last that is ready in a lane.
coalesce((select max(q.seq) from standpipe.task q
          where q.lane = {lane} and q.priority = {priority} and q.state = :state.ready), 0)

-- fragment: next_seq(task)
-- The place behind all that are ready.
1 + {last_seq({task}.lane, {task}.priority)}

-- fragment: live
-- Each run once for each of its tasks: no task shares a row here.
standpipe.task

-- fragment: paused_runs
-- Of the run r, by the index that rare statuses have.
r.status = 'paused' and r.status not in ('running', 'succeeded')

-- fragment: listed_runs
-- The runs of a list, as r.
jsonb_each(:runs) i
     cross join standpipe.run r on r.id = i.value ->> 0

-- fragment: settled_keys
-- Steps of a list with their tokens, as k, numbered.
(select key as ord, value ->> 0 as run, value ->> 1 as node, value ->> 2 as idx, value ->> 3 as token
      from jsonb_each(:keys)) k
