-- What is read of runs. Nothing here writes or locks.
-- Runs by what is true of them; hidden pipelines, which have a dollar in their names, by these alone. They are read in the order of their ids, which is that of their starts.

-- fragment: has_rare_status
-- The run r is in one of the statuses asked for, by the index of rare ones.
r.status not in ('running', 'succeeded') and r.status in (select value ->> 0 from jsonb_each(:rare))

-- fragment: some_status
-- Whether any are asked for that no index has.
json_array_length(:statuses) > 0

-- fragment: has_status
-- The same by its row. Nothing is read if none is asked for.
{some_status} and r.status in (select value ->> 0 from jsonb_each(:statuses))

-- fragment: fence
-- Runs are read in order without one.

-- fragment: matches
-- What else a filter asks of the run r.
(case when :pipeline is null then instr(r.pipeline, '$') = 0 else r.pipeline = :pipeline end)
  and (:since_us is null or r.created_at >= :since_us)
  and (:until_us is null or r.created_at < :until_us)
  and not exists (select 1
                  from jsonb_each(:labels) l
                  where not exists (select 1 from json_each(r.labels) x
                                    where x.key = l.value ->> 0 and x.value = l.value ->> 1))

-- fragment: run_info
-- What people see of the run r. Who canceled it last, and why, the audit knows.
r.id, r.pipeline, r.key, r.priority, r.labels,
       nullif(nullif(r.halt_reason, 'finished'), 'failed') as halt_reason, r.halt_node,
       r.status,
       r.created_at as created_us, r.finished_at as finished_us, a.actor, a.reason,
       (select original_run_id from standpipe.rerun where run_id = r.id and node is null) as rerun_of,
       (select group_concat(x.run_id)
        from (select run_id from standpipe.rerun
              where original_run_id = r.id and node is null order by run_id) x) as reruns,
       (select group_concat(x.upstream_run_id)
        from (select upstream_run_id from standpipe.chain where downstream_run_id = r.id order by upstream_run_id) x) as upstreams,
       (select group_concat(x.downstream_run_id)
        from (select downstream_run_id from standpipe.chain where upstream_run_id = r.id order by downstream_run_id) x) as downstreams,
       (select group_concat(x.word)
        from (select kind || ' ' || run_id as word from standpipe.dispatched
              where original_run_id = r.id order by end_number, kind) x) as end_callbacks,
       (select kind || ' ' || original_run_id from standpipe.dispatched where run_id = r.id) as end_callback_of,
       (select group_concat(x.run_id)
        from (select run_id from standpipe.called where parent_run_id = r.id order by node, idx, call_number) x) as calls,
       (select parent_run_id || '/' || node || '/' || idx from standpipe.called where run_id = r.id) as called_by,
       f.original_run_id as fork_of, f.node as forked_at,
       (select group_concat(x.run_id)
        from (select run_id from standpipe.rerun
              where original_run_id = r.id and node is not null order by run_id) x) as forks

-- fragment: cancel_and_fork
-- Who canceled the run r last, as a, and what it was forked from, as f.
left join standpipe.audit a on a.id = (
       select max(id) from standpipe.audit
       where run_id = r.id and action = 'cancel' and r.halt_reason = 'canceled'
     )
     left join standpipe.rerun f on f.run_id = r.id and f.node is not null

-- name: run_find
select {run_info}
from standpipe.run r
     {cancel_and_fork}
where r.id = :run

-- name: run_newest
-- As run_find, for many. Each run's links are looked up by its id: to read those of all at once and to group them takes longer here.
with chosen as materialized (
  select r.id, r.pipeline, r.key, r.priority, r.labels, r.halt_reason, r.halt_node, r.status, r.created_at, r.finished_at
  from {first_runs(true, desc)}
  order by r.id desc
  limit :limit
)
select {run_info}
from chosen r
     {cancel_and_fork}
order by r.id desc

-- name: run_keyed
select r.id, r.key, r.key_hash
from jsonb_each(:keys) k
     cross join standpipe.run r on r.pipeline = :pipeline and r.key = k.value ->> 0

-- name: run_ended
select r.id
from jsonb_each(:runs) i
     cross join standpipe.run r on r.id = i.value ->> 0
where {has_ended(r.status)}

-- name: run_ends
-- Those of these runs that have ended, with the output of those that succeeded unless it is long.
select e.id, case when length(e.output) <= :longest then e.output end as output
from (
  select r.id,
         case when r.status = 'succeeded' then
           coalesce(
             (select value from standpipe.finish where run_id = r.id),
             (select value from standpipe.result
              where run_id = r.id and node = i.value ->> 1 and idx = 0 and outcome = :outcome.succeeded
                and not exists (select 1 from standpipe.finish where run_id = r.id)))
         end as output
  from json_each(:runs) i
       cross join standpipe.run r on r.id = i.value ->> 0
  where {has_ended(r.status)}
) e

-- name: run_pending
-- The steps without an outcome, what each waits for, and why its last try failed.
select s.node, s.idx, s.state, s.attempt,
       t.due_at - {now} as due_in_us,
       (select p.name from standpipe.process p where p.id = s.owner) as holder,
       (select c.run_id from standpipe.called c
        where s.state in ('waiting', 'scheduled') and c.parent_run_id = s.run_id and c.node = s.node and c.idx = s.idx
        order by c.call_number desc limit 1) as calls,
       exists (select 1 from standpipe.serving v join standpipe.process p on p.id = v.process_id
               where v.lane = r.lane and p.lease_expires_at >= {now}) as served,
       a.error_type, a.error, a.trace
from standpipe.step s
     join standpipe.run r on r.id = s.run_id
     left join standpipe.task t on t.run_id = s.run_id and t.node = s.node and t.idx = s.idx and t.state = :state.scheduled
     left join standpipe.attempt a
       on a.run_id = s.run_id and a.node = s.node and a.idx = s.idx
       and a.token = (select max(b.token) from standpipe.attempt b
                      where b.run_id = s.run_id and b.node = s.node and b.idx = s.idx and b.error_type is not null)
where s.run_id = :run and s.state in ('ready', 'leased', 'paused', 'scheduled', 'waiting')
order by s.node, s.idx
limit :limit
