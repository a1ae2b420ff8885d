-- name: process_join
insert into standpipe.process (id, name, host, pid, crash_limit, lease_us, lease_expires_at)
values (:id, :name, :host, :pid, :crash_limit, :lease_us, cast(unixepoch('subsec') * 1000000 as integer) + :lease_us)

-- name: process_serve
insert into standpipe.serving (process_id, lane)
select :id, value ->> 0 from jsonb_each(:lanes)

-- name: process_limit
insert into standpipe.crash_limit (process_id, lane, node, max_crashes)
select :id, value ->> 0, value ->> 1, value ->> 2 from jsonb_each(:limits)

-- name: process_renew
update standpipe.process
set lease_expires_at = cast(unixepoch('subsec') * 1000000 as integer) + :lease_us, lease_us = :lease_us
where id = :id

-- name: process_heard_of
-- Half a lease is three beats: if nobody was heard of for that long, nobody could reach the database, and all who live are to
-- have a lease's time from now on. Of one that ends its lease nothing is expected.
insert into standpipe.heartbeat as h (id, steady_since, expected_by)
select 1, cast(unixepoch('subsec') * 1000000 as integer), cast(unixepoch('subsec') * 1000000 as integer) + lease_us / 2
from standpipe.process
where id = :id
on conflict (id) do update
set steady_since = case when h.expected_by < excluded.steady_since then excluded.steady_since
                        else min(h.steady_since, excluded.steady_since) end,
    expected_by = case when excluded.expected_by > excluded.steady_since then excluded.expected_by else h.expected_by end

-- name: process_release
update standpipe.task as task
set state = case when crashes >= 2 then :state.suspect else :state.ready end, owner = null,
    seq = 1 + coalesce((select max(r.seq) from standpipe.task r
                        where r.lane = task.lane and r.priority = task.priority and r.state = :state.ready), 0)
where owner = :id and state = :state.leased

-- name: process_leave
delete from standpipe.process where id = :id

-- name: process_unserve
delete from standpipe.serving where process_id = :id

-- name: process_unlimit
delete from standpipe.crash_limit where process_id = :id

-- name: process_forget_cut_off
-- Nobody is left who could interrupt them.
delete from standpipe.cut_off
where process_id = :id or not exists (select 1 from standpipe.process p where p.id = process_id)

-- name: process_expired
-- Whoever has not renewed has had a lease's time in which others could, up to this moment: an outage of the database is
-- nobody's death.
select id, name
from standpipe.process
where lease_expires_at < cast(unixepoch('subsec') * 1000000 as integer)
  and id <> :by
  and exists (select 1 from standpipe.heartbeat h
              where h.expected_by >= cast(unixepoch('subsec') * 1000000 as integer)
                and h.steady_since + lease_us <= cast(unixepoch('subsec') * 1000000 as integer))
order by id
limit 1

-- name: process_orphaned
-- A claim that was waiting for its turn while its process was reaped leased tasks to nobody.
with recursive owners (id) as (
  select min(owner) from standpipe.task where state = :state.leased
  union all
  select (select min(t.owner) from standpipe.task t where t.state = :state.leased and t.owner > o.id)
  from owners o
  where o.id is not null
)
select o.id, 'unknown' as name
from owners o
where o.id is not null and not exists (select 1 from standpipe.process p where p.id = o.id)
limit 1

-- name: process_live
select id
from standpipe.process
where id = :id and lease_expires_at >= cast(unixepoch('subsec') * 1000000 as integer)

-- name: process_lock
select id, name
from standpipe.process
where id = :id

-- name: process_crash_attempts
insert into standpipe.attempt (run_id, node, idx, token, attempt, process_id, outcome, elapsed_us)
select run_id, node, idx, token, attempt, :id, 'crashed', 0
from standpipe.task
where owner = :id and state = :state.leased

-- name: process_crash
-- A task whose budget is spent marks its run, which is halted next. Others are ready at once for the
-- first third of their budget, and then wait, twice as long every time.
-- A suspect that was claimed with others is not charged: next time it is with half as many.
-- The limits are those of the process that held it. If nobody knows them any more, those who serve the step now say what it
-- may use up. What is not counted does not wait either.
update standpipe.task as task
set state = case when h.spared then :state.suspect when h.crashes >= h.max_crashes then :state.halting
                 when :counted = 1 and h.crashes > h.max_crashes / 3 then :state.scheduled
                 when h.crashes >= 2 then :state.suspect else :state.ready end,
    due_at = case when h.spared is not true and :counted = 1 and h.crashes > h.max_crashes / 3 and h.crashes < h.max_crashes
                  then cast(unixepoch('subsec') * 1000000 as integer)
                       + (1000000 << min(6, h.crashes - h.max_crashes / 3 - 1)) end,
    owner = null, crashes = h.crashes, max_suspects = h.max_suspects,
    seq = 1 + coalesce((select max(r.seq) from standpipe.task r
                        where r.lane = task.lane and r.priority = task.priority and r.state = :state.ready), 0)
from (select t.run_id, t.id,
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
      from standpipe.task t
      where t.owner = :id and t.state = :state.leased) h
where task.run_id = h.run_id and task.id = h.id
returning run_id, node, idx, token, attempt, crashes, state = :state.halting as spent
