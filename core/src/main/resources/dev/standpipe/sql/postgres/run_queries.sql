-- What is read of runs. Nothing here writes or locks.
-- Runs by what is true of them; hidden pipelines, which have a dollar in their names, by these alone. They are read in the order of their ids, which is that of their starts.

-- fragment: has_rare_status
-- The run r is in one of the statuses asked for, by the index of rare ones.
r.rare_status = any (:rare.status::text[])

-- fragment: some_status
-- Whether any are asked for that no index has.
cardinality(:statuses.status::text[]) > 0

-- fragment: has_status
-- The same by its row. Nothing is read if none is asked for.
{some_status} and r.status = any (:statuses.status::text[])

-- fragment: fence
-- Keeps the planner, which cannot guess how many a filter lets through, from sorting all runs instead of reading them in order.
offset 0

-- fragment: matches
-- What else a filter asks of the run r.
(case when :pipeline::text is null then strpos(r.pipeline, '$') = 0 else r.pipeline = :pipeline end)
  and (:since_us::bigint is null
       or r.created_at >= timestamptz 'epoch' + :since_us * interval '1 microsecond')
  and (:until_us::bigint is null
       or r.created_at < timestamptz 'epoch' + :until_us * interval '1 microsecond')
  and (cardinality(:labels.name::text[]) = 0
       or r.labels::jsonb @> jsonb_object(:labels.name::text[], :labels.value::text[]))

-- fragment: run_itself
-- What people see of the run r, but for what leads from it to others.
r.id, r.pipeline, r.key, r.priority, r.labels,
       nullif(nullif(r.halt_reason, 'finished'), 'failed') as halt_reason, r.halt_node,
       r.status,
       (extract(epoch from r.created_at) * 1000000)::bigint as created_us,
       (extract(epoch from r.finished_at) * 1000000)::bigint as finished_us,
       a.actor, a.reason

-- fragment: last_cancel
-- Who canceled the run r last, and why, the audit knows.
left join lateral (
       select actor, reason
       from standpipe.audit
       where run_id = r.id and action = 'cancel' and r.halt_reason = 'canceled'
       order by id desc
       limit 1
     ) a on true

-- name: run_find
select {run_itself},
       (select original_run_id from standpipe.rerun where run_id = r.id and node is null) as rerun_of,
       (select string_agg(x.run_id::text, ',' order by x.run_id)
        from standpipe.rerun x where x.original_run_id = r.id and x.node is null) as reruns,
       (select string_agg(x.upstream_run_id::text, ',' order by x.upstream_run_id)
        from standpipe.chain x where x.downstream_run_id = r.id) as upstreams,
       (select string_agg(x.downstream_run_id::text, ',' order by x.downstream_run_id)
        from standpipe.chain x where x.upstream_run_id = r.id) as downstreams,
       (select string_agg(x.kind || ' ' || x.run_id::text, ',' order by x.end_number, x.kind)
        from standpipe.dispatched x where x.original_run_id = r.id) as end_callbacks,
       (select x.kind || ' ' || x.original_run_id::text from standpipe.dispatched x where x.run_id = r.id) as end_callback_of,
       (select string_agg(x.run_id::text, ',' order by x.node, x.idx, x.call_number)
        from standpipe.called x where x.parent_run_id = r.id) as calls,
       (select x.parent_run_id::text || '/' || x.node || '/' || x.idx from standpipe.called x where x.run_id = r.id) as called_by,
       f.original_run_id as fork_of, f.node as forked_at,
       (select string_agg(x.run_id::text, ',' order by x.run_id)
        from standpipe.rerun x where x.original_run_id = r.id and x.node is not null) as forks
from standpipe.run r
     {last_cancel}
     left join standpipe.rerun f on f.run_id = r.id and f.node is not null
where r.id = :run

-- name: run_newest
-- As run_find, for many: what leads from the chosen runs to others is read for all of them at once. Their ids are handed on as an
-- array, and what is looked up for each is fenced in: the planner, which cannot guess how many a filter lets through, would go
-- through whole tables, or through a group once for every run.
with chosen as materialized (
  select r.id, r.pipeline, r.key, r.priority, r.labels, r.halt_reason, r.halt_node, r.status, r.created_at, r.finished_at
  from {first_runs(true, desc)}
  order by r.id desc
  limit :limit
),
link (run_id, kind, place, word) as (
  select original_run_id, case when node is null then 'rerun' else 'fork' end, row_number() over (order by run_id), run_id::text
  from standpipe.rerun where original_run_id = any (array(select id from chosen))
  union all
  select downstream_run_id, 'upstream', row_number() over (order by upstream_run_id), upstream_run_id::text
  from standpipe.chain where downstream_run_id = any (array(select id from chosen))
  union all
  select upstream_run_id, 'downstream', row_number() over (order by downstream_run_id), downstream_run_id::text
  from standpipe.chain where upstream_run_id = any (array(select id from chosen))
  union all
  select original_run_id, 'end_callback', row_number() over (order by end_number, kind), kind || ' ' || run_id
  from standpipe.dispatched where original_run_id = any (array(select id from chosen))
  union all
  select parent_run_id, 'call', row_number() over (order by node, idx, call_number), run_id::text
  from standpipe.called where parent_run_id = any (array(select id from chosen))
),
linked as materialized (
  select run_id,
         string_agg(word, ',' order by place) filter (where kind = 'rerun') as reruns,
         string_agg(word, ',' order by place) filter (where kind = 'fork') as forks,
         string_agg(word, ',' order by place) filter (where kind = 'upstream') as upstreams,
         string_agg(word, ',' order by place) filter (where kind = 'downstream') as downstreams,
         string_agg(word, ',' order by place) filter (where kind = 'end_callback') as end_callbacks,
         string_agg(word, ',' order by place) filter (where kind = 'call') as calls
  from link
  group by run_id
)
select {run_itself},
       case when o.node is null then o.original_run_id end as rerun_of, l.reruns,
       l.upstreams, l.downstreams,
       l.end_callbacks, e.kind || ' ' || e.original_run_id as end_callback_of,
       l.calls, c.parent_run_id || '/' || c.node || '/' || c.idx as called_by,
       case when o.node is not null then o.original_run_id end as fork_of, o.node as forked_at, l.forks
from chosen r
     left join linked l on l.run_id = r.id
     left join lateral (select original_run_id, node from standpipe.rerun where run_id = r.id offset 0) o on true
     left join lateral (select original_run_id, kind from standpipe.dispatched where run_id = r.id offset 0) e on true
     left join lateral (select parent_run_id, node, idx from standpipe.called where run_id = r.id offset 0) c on true
     {last_cancel}
order by r.id desc

-- name: run_keyed
select id, key, key_hash
from standpipe.run
where pipeline = :pipeline and key = any (:keys.key::text[])

-- name: run_ended
select r.id
from unnest(:runs.id::uuid[]) as i (id),
     lateral (select id, status from standpipe.run where id = i.id offset 0) r
where {has_ended(r.status)}

-- name: run_ends
-- Those of these runs that have ended, with the output of those that succeeded unless it is long.
select r.id, o.value as output
from unnest(:runs.id::uuid[], :runs.node::text[]) as i (id, node)
     cross join lateral (select id, status from standpipe.run where id = i.id offset 0) r
     left join lateral (
       select coalesce(
         (select value from standpipe.finish where run_id = i.id),
         (select value from standpipe.result where run_id = i.id and node = i.node and idx = 0 and outcome = :outcome.succeeded
          and not exists (select 1 from standpipe.finish where run_id = i.id))) as value
       offset 0
     ) o on r.status = 'succeeded' and octet_length(o.value) <= :longest
where {has_ended(r.status)}

-- name: run_pending
-- The steps without an outcome, what each waits for, and why its last try failed.
select s.node, s.idx, s.state, s.attempt,
       (extract(epoch from t.due_at - clock_timestamp()) * 1000000)::bigint as due_in_us,
       (select p.name from standpipe.process p where p.id = s.owner) as holder,
       (select c.run_id from standpipe.called c
        where s.state in ('waiting', 'scheduled') and c.parent_run_id = s.run_id and c.node = s.node and c.idx = s.idx
        order by c.call_number desc limit 1) as calls,
       (exists (select 1 from standpipe.serving v join standpipe.process p on p.id = v.process_id
                where v.lane = r.lane and p.lease_expires_at >= clock_timestamp()))::integer as served,
       a.error_type, a.error, a.trace
from standpipe.step s
     join standpipe.run r on r.id = s.run_id
     left join standpipe.task t on t.run_id = s.run_id and t.node = s.node and t.idx = s.idx and t.state = :state.scheduled
     left join lateral (select b.error_type, b.error, b.trace
                        from standpipe.attempt b
                        where b.run_id = s.run_id and b.node = s.node and b.idx = s.idx and b.error_type is not null
                        order by b.token desc
                        limit 1) a on true
where s.run_id = :run and s.state in ('ready', 'leased', 'paused', 'scheduled', 'waiting')
order by s.node, s.idx
limit :limit
