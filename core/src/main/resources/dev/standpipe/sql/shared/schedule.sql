-- Schedules. A schedule is a row with its next instant; each instant that was fired is a row of its own.

-- fragment: schedule_columns
-- What is read of the schedule s.
s.name, s.pipeline, s.token, s.cron, s.zone, s.every_us, s.missed, s.missed_limit, s.overlap, s.jitter_us, s.declared, s.input,
       s.paused_by, s.pause_reason, {micros(s.paused_at)} as paused_us, {micros(s.next_at)} as next_us

-- fragment: wake(next)
-- When somebody has to look at the schedule: at once if instants of it were asked for, paused or not.
case when exists (select 1 from standpipe.firing f where f.schedule = :name and f.outcome = 'requested') then {now} else {next} end

-- name: schedule_now
select {micros({now})} as now_us

-- name: schedule_list
select {schedule_columns} from standpipe.schedule s order by s.name

-- name: schedule_find
select {schedule_columns} from standpipe.schedule s where s.name = :name

-- name: schedule_lock
select {schedule_columns} from standpipe.schedule s where s.name = :name {for_update}

-- name: schedule_change
-- One that is paused stays so.
update standpipe.schedule
set pipeline = :pipeline, cron = :cron, zone = :zone, every_us = {typed(:every_us, bigint)}, missed = :missed,
    missed_limit = :missed_limit, overlap = :overlap, jitter_us = :jitter_us, declared = :declared, input = :input,
    changed_by = :changed_by, next_at = {time(:next_us)},
    wake_at = {wake(case when paused_at is null then {time(:next_us)} end)}, token = token + 1
where name = :name

-- name: schedule_remove
delete from standpipe.schedule where name = :name

-- name: schedule_drop_requests
delete from standpipe.firing where schedule = :name and outcome = 'requested'

-- name: schedule_pause
update standpipe.schedule
set paused_at = {now}, paused_by = :actor, pause_reason = :reason, wake_at = {wake(null)}, token = token + 1
where name = :name and paused_at is null

-- name: schedule_resume
update standpipe.schedule
set paused_at = null, paused_by = null, pause_reason = null, next_at = {time(:next_us)}, wake_at = {wake({time(:next_us)})}, token = token + 1
where name = :name and paused_at is not null

-- name: schedule_wake
-- A firing that is under way does not know of what was asked for: it is refused, and comes again.
update standpipe.schedule set wake_at = {now}, token = token + 1 where name = :name

-- name: schedule_history
select {micros(fire_at)} as fire_us, outcome, started_run_id, error
from standpipe.firing
where schedule = :name
order by fire_at desc
limit :limit

-- name: schedule_next
select {time_left(min(wake_at))} as left_us from standpipe.schedule where wake_at is not null having min(wake_at) is not null

-- name: schedule_declared
select {schedule_columns} from standpipe.schedule s where s.declared and s.pipeline = :pipeline order by s.name

-- name: schedule_waking
-- The next page of those whose time has come.
select name, declared, {micros(wake_at)} as wake_us
from standpipe.schedule
where wake_at <= {now} and (wake_at, name) > ({time(:after_us)}, :after)
order by wake_at, name
limit :limit
