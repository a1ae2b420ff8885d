-- name: run_start
insert into standpipe.run (id, pipeline, lane, priority, key, key_hash, labels, followed)
select value ->> 0, :pipeline, :lane, value ->> 3, value ->> 1, value ->> 2, value ->> 4, value ->> 8
from jsonb_each(:runs)
where exists (select 1 from standpipe.definition where id = :lane and hash = :hash)
on conflict do nothing
returning id

-- name: run_start_results
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, value)
select value ->> 0, '$input', 0, :outcome.succeeded, 0, 0, 0, value ->> 5
from jsonb_each(:runs)
where value ->> 5 is not null

-- name: run_start_tasks
-- Whoever is no process any more gets nothing: what was to be leased to it is ready.
insert into standpipe.task
  (run_id, id, node, idx, lane, priority, state, owner, token, due_at, attempt, crashes, seq)
select i.run, e.value ->> 1, e.value ->> 0, 0, :lane, i.priority,
       case when i.owner is not null then :state.leased when i.delay_us > 0 then :state.scheduled else :state.ready end,
       i.owner,
       i.owner is not null,
       case when i.owner is null and i.delay_us > 0
            then {now} + i.delay_us end,
       1, 0,
       1 + i.ord + {last_seq(:lane, i.priority)}
from (select key as ord, value ->> 0 as run, value ->> 3 as priority, value ->> 6 as delay_us,
             (select p.id from standpipe.process p where p.id = value ->> 7) as owner
      from jsonb_each(:runs)) i
     cross join jsonb_each(:entries) e

-- name: run_keyed
select r.id, r.key, r.key_hash
from jsonb_each(:keys) k
     cross join standpipe.run r on r.pipeline = :pipeline and r.key = k.value ->> 0

-- name: run_find
-- Who canceled a run last, and why, the audit knows.
select r.id, r.pipeline, r.key, r.priority, r.labels,
       nullif(nullif(r.halt_reason, 'finished'), 'failed') as halt_reason, r.halt_node,
       s.status,
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
from standpipe.run r
     join standpipe.status s on s.run_id = r.id
     left join standpipe.audit a on a.id = (
       select max(id) from standpipe.audit
       where run_id = r.id and action = 'cancel' and r.halt_reason = 'canceled'
     )
     left join standpipe.rerun f on f.run_id = r.id and f.node is not null
where r.id = :run

-- name: fork_results
-- Taken over, not tried: attempt and token are 0, as those of an input.
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us, finished_at, value)
select :run, node, idx, outcome, 0, 0, 0, finished_at, value
from standpipe.result
where run_id = :original and outcome in (:outcome.succeeded, :outcome.element, :outcome.skipped) and node <> '$input' and node not in (select value ->> 0 from jsonb_each(:redone))

-- name: fork_skips
insert into standpipe.result (run_id, node, idx, outcome, attempt, token, elapsed_us)
select :run, value ->> 0, value ->> 1, :outcome.skipped, 0, 0, 0
from jsonb_each(:skips)

-- name: run_ended
select r.id
from jsonb_each(:runs) i
     cross join standpipe.run r on r.id = i.value ->> 0
where {has_ended}

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
  where {has_ended}
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

-- name: run_put_off
-- What waited for a time goes on doing so if the run is brought back; what waited for another try, a signal or
-- another run does not.
insert into standpipe.put_off (run_id, node, idx, due_at)
select t.run_id, t.node, t.idx, t.due_at
from standpipe.task t
where t.run_id = :run and t.state = :state.scheduled
  and exists (select 1 from standpipe.run r
              where r.id = :run and r.status = 'halting' and r.halt_reason <> 'finished')
  and {waits_for_a_time(t)}
on conflict (run_id, node, idx) do update set due_at = excluded.due_at

-- name: run_clear
delete from standpipe.task
where run_id = :run and state in (:state.ready, :state.scheduled, :state.suspect)
  and exists (select 1 from standpipe.run r where r.id = :run and r.status = 'halting')

-- name: run_cut_off_attempts
insert into standpipe.attempt (run_id, node, idx, token, attempt, process_id, outcome, elapsed_us)
select run_id, node, idx, token, attempt, owner, 'canceled', 0
from standpipe.task
where run_id = :run and state = :state.leased
  and {grace_is_over}

-- name: run_cut_off_told
-- The processes that run them are told, and interrupt them.
insert into standpipe.cut_off (process_id, run_id, task_id, token)
select t.owner, t.run_id, t.id, t.token
from standpipe.task t
where t.run_id = :run and t.state = :state.leased
  and exists (select 1 from standpipe.process p where p.id = t.owner)
  and {grace_is_over}
on conflict do nothing

-- name: run_cut_off
-- Bodies that have not ended within the grace of a cancel or a deadline: whatever they still write is stale.
delete from standpipe.task
where run_id = :run and state = :state.leased
  and {grace_is_over}

-- name: run_halted
update standpipe.run
set status = case when halt_reason = 'finished' then 'succeeded' else 'halted' end,
    halt_reason = nullif(halt_reason, 'finished'), finished_at = {now}
where id = :run and status = 'halting'
returning id as run_id, followed > :followed.by_nothing as followed

-- name: run_cancel
update standpipe.run
set status = 'halting', halt_reason = 'canceled', halt_node = null
where id = :run
  and (status = 'running' or (status = 'halting' and halt_reason not in ('canceled', 'finished')))

-- name: run_deadlines
insert into standpipe.deadline (run_id, due_at)
select value ->> 0, {now} + (value ->> 1)
from jsonb_each(:deadlines)

-- name: run_expire
update standpipe.run
set status = 'halting', halt_reason = 'deadline', halt_node = null
where id = :run and status = 'running'
