-- What statements of every dialect have in common, where the statements themselves differ. What shared statements leave to the
-- dialect is in its own fragments.sql. docs/new-database.md says what each dialect has to bring.

-- fragment: claimable(task)
-- The state of a task that anybody may claim again: a suspect stays one.
case when {task}.crashes >= 2 then :state.suspect else :state.ready end

-- fragment: waits_for_a_time(task)
-- Not for another try, a signal or another run.
not exists (select 1 from standpipe.chained c where c.run_id = {task}.run_id)
  and not exists (select 1 from standpipe.attempt a
                  where a.run_id = {task}.run_id and a.node = {task}.node and a.idx = {task}.idx and a.token = {task}.token
                    and a.outcome <> 'snoozed')
  and not exists (select 1 from standpipe.signal s
                  where s.run_id = {task}.run_id and s.node = {task}.node and s.idx = {task}.idx and s.task_id = {task}.id)

-- fragment: default_queue
-- The one queue that each definition has.
'default'

-- fragment: with_definition(lane)
-- The lane l that has this number, and its definition d.
join standpipe.lane l on l.id = {lane}
     join standpipe.definition d on d.id = l.definition_id

-- fragment: known_lane
-- The lane l that a process has come to know for its definition d. Both may have been lost in a failover, and the number have become
-- that of another lane: of another definition's, or of one where tasks are parked.
standpipe.lane l join standpipe.definition d
       on d.id = l.definition_id and l.id = :lane and l.parks_for is null and d.hash = :hash

-- fragment: is_parked(task)
-- The task is in a lane that nobody serves.
exists (select 1 from standpipe.lane l where l.id = {task}.lane and l.parks_for is not null)

-- fragment: own_index(idx)
-- Where the own result of an expand is that has elements: their indexes are not below zero.
-1 - {idx}

-- fragment: index_of_step(idx)
-- The index of the step whose result has this one.
case when {idx} < 0 then {own_index({idx})} else {idx} end

-- fragment: grace_is_over
-- Of the run that was canceled or is past its deadline.
exists (select 1 from standpipe.canceling c where c.run_id = :run and c.cut_off_at <= {now})

-- fragment: goes_on(status)
-- Of a run that nobody has stopped and that has not ended: it has steps to do, now, when it is resumed, or after those it waits for.
{status} in ('running', 'waiting', 'paused')

-- fragment: is_stopping(status)
-- Of a run that was stopped and has not ended yet.
{status} in ('halting', 'finishing', 'canceling')

-- fragment: has_ended(status)
-- Of a run that has ended for good: one that is still compensated has not.
{status} in ('succeeded', 'halted', 'failed', 'canceled', 'skipped', 'compensated', 'compensation_failed')

-- fragment: can_be_revived(status)
-- Of a run that has ended without success, and that nobody compensates.
{status} in ('halted', 'failed', 'canceled', 'skipped')

-- fragment: stopped_for(reason)
-- The status of a run that is stopped for this reason, until it has ended.
case {reason} when 'finished' then 'finishing' when 'canceled' then 'canceling' else 'halting' end

-- fragment: ended_for(reason)
-- The status of the run r that ends after it was stopped for this reason, or after it has tolerated failures with it; it has succeeded if
-- there is none. One that came to its end, though steps have failed, is not compensated.
case when {reason} is null or {reason} = 'finished' then 'succeeded'
             when {reason} = 'failed' then 'failed'
             when r.followed = :followed.to_compensate then 'compensating'
             when {reason} = 'canceled' then 'canceled' else 'halted' end

-- fragment: times_revived
-- How often the run r was brought back.
(select count(*) from standpipe.audit where run_id = r.id and action in ('release', 'revive'))

-- fragment: after_a_crash
-- What becomes of the task t that the process held when it died: how many crashes it has then, with how many other suspects it may be
-- held, whether it is spared the blame because it was one of several suspects, and how many crashes it may have.
t.crashes + case when t.crashes >= 2 and t.max_suspects > 1 then 0 else :counted end as crashes,
         case when t.crashes < 2 then null when t.max_suspects > 1 then t.max_suspects / (1 + :counted) else 1 end as max_suspects,
         t.crashes >= 2 and t.max_suspects > 1 as spared,
         coalesce(
           (select l.max_crashes from standpipe.crash_limit l
            where l.process_id = :id and l.lane = t.lane and l.node = t.node),
           (select p.crash_limit from standpipe.process p where p.id = :id),
           (select max(coalesce(l.max_crashes, p.crash_limit))
            from standpipe.serving s
                 join standpipe.process p on p.id = s.process_id
                 left join standpipe.crash_limit l
                   on l.process_id = s.process_id and l.lane = s.lane and l.node = t.node
            where s.lane = t.lane)) as max_crashes

-- fragment: state_after_a_crash
-- Of what after_a_crash says, as h: the first third of its crashes delays nothing, the last one spends it.
case when h.spared then :state.suspect
                 when h.crashes >= h.max_crashes then :state.halting
                 when :counted = 1 and h.crashes > h.max_crashes / 3 then :state.scheduled
                 when h.crashes >= 2 then :state.suspect else :state.ready end

-- fragment: waits_after_a_crash
h.spared is not true and :counted = 1 and h.crashes > h.max_crashes / 3 and h.crashes < h.max_crashes
