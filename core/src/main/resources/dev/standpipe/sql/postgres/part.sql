-- Tasks of several runs in one row: bundles, which wait, and parts, which somebody holds. See docs/decisions/020.

-- fragment: is_part
(run_id, id) >= (p.bundle, p.id) and (run_id, id) <= (p.bundle, p.id)

-- name: part_settle
-- What settle does with steps that have a next one or end their run, for those that are in parts. These are locked before anything
-- else, in the order they come in, which is everybody's; what has left it, or was never in it, is refused, and so is what belongs to a
-- run that is stopped. What goes on gets a row, and a part that everybody has left goes. Returns what settle does.
with part as materialized (
  select t.*, p.ord
  from unnest(:parts.bundle::uuid[], :parts.id::bigint[]) with ordinality as p (bundle, id, ord),
       lateral (
         select run_id, id, node, lane, priority, token, attempt, done
         from standpipe.task
         where {is_part}
           and owner is not distinct from :owner and state + 0 = :state.leased
         for update
       ) t
),
accepted as materialized (
  select i.*, p.node, p.lane, p.priority, p.attempt
  from unnest(:settled.part::integer[], :settled.place::integer[], :settled.run::uuid[], :settled.task::bigint[],
              :settled.token::bigint[], :settled.elapsed_us::bigint[], :settled.value::text[],
              :settled.next_node::text[], :settled.next_idx::integer[], :settled.state::smallint[])
       with ordinality as i (part, place, run, task, token, elapsed_us, value, next_node, next_idx, state, ord)
       join part p on p.ord = i.part
  where i.token = p.token and get_bit(p.done, i.place - 1) = 0
    and ({not_stopped(i.run)})
),
moved as (
  insert into standpipe.task (run_id, id, node, idx, lane, priority, state, owner, token, attempt, crashes, seq)
  select run, task, next_node, next_idx, lane, priority, state, case when state = :state.leased then :owner::uuid end, token + 1, 1, 0,
         case when state = :state.leased then 0 else nextval('standpipe.task_seq') end
  from accepted
  where next_node is not null
),
recorded as (
  insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, process_id, value)
  select run, node, 0, :outcome.succeeded, attempt, token, elapsed_us, :owner, value from accepted
),
ended as (
  update standpipe.run r
  set status = 'succeeded', finished_at = clock_timestamp()
  from accepted i
  where i.next_node is null and {run_goes_on(i.run)}
  returning r.id, r.followed
),
{marked},
leaving as materialized (
  select p.run_id, p.id, l.done
  from part p,
       lateral (select bit_or(set_bit(p.done, i.place - 1, 1)) as done from accepted i where i.part = p.ord) l
  where l.done is not null
),
thinned as (
  update standpipe.task t
  set done = l.done
  from leaving l
  where position(B'0' in l.done) > 0
    and {is_task(l.run_id, l.id)}
),
emptied as (
  delete from standpipe.task t
  using leaving l
  where position(B'0' in l.done) = 0
    and {is_task(l.run_id, l.id)}
)
select {places(accepted, :settling)},
       (select count(*) from ended) as ended,
       exists (select 1 from marked) as followed

-- name: part_of_run
-- Where the first task of a run is, if it has no row of its own.
select t.run_id as bundle, t.id
from standpipe.task t, array_position(t.runs, :run::uuid) as place
where t.run_id = (select r.bundle from standpipe.run r where r.id = :run)
  and case when t.done is null then place > t.first_index else get_bit(t.done, place - 1) = 0 end

-- name: part_of_process
select run_id as bundle, id from standpipe.task where owner = :owner and state = :state.leased and runs is not null

-- name: part_dissolve
-- Gives all that are in these bundles and parts rows of their own, as they are: in the place they wait in, or leased to the process that
-- holds them. Waits for a transaction that takes or settles some of them, and leaves those alone.
with held as materialized (
  select t.*
  from unnest(:parts.bundle::uuid[], :parts.id::bigint[]) as p (bundle, id),
       lateral (
         select run_id, id
         from standpipe.task
         where {is_part}
         for update
       ) t
),
gone as (
  delete from standpipe.task t
  using held h
  where {is_task(h.run_id, h.id)}
  returning t.*
)
insert into standpipe.task (run_id, id, node, idx, lane, priority, state, owner, token, attempt, crashes, seq)
select m.run, g.id - g.idx, g.node, 0, g.lane, g.priority, g.state, g.owner, g.token, g.attempt, g.crashes, g.seq
from gone g, unnest(g.runs) with ordinality as m (run, place)
where case when g.done is null then m.place > g.first_index else get_bit(g.done, m.place::integer - 1) = 0 end
