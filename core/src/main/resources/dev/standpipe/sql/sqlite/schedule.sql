-- What schedules need of lists.

-- name: schedule_add
-- Of several processes that declare one at once, one adds it.
insert into standpipe.schedule
  (name, pipeline, cron, zone, every_us, missed, missed_limit, overlap, jitter_us, declared, input, changed_by, next_at, wake_at)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 12
from jsonb_each(:schedules) where true
on conflict do nothing
returning name

-- name: schedule_due
-- Who fires them reads them without a lock, and finds by their token whether somebody else was faster.
select {schedule_columns}, {now} as now_us,
       (select r.id from standpipe.run r
        where r.finished_at is null
          and r.id = (select f.started_run_id from standpipe.firing f
                      where f.schedule = s.name and f.outcome = 'started' order by f.fire_at desc limit 1)) as unended_run_id
from standpipe.schedule s
where s.name in (select value ->> 0 from jsonb_each(:names)) and s.wake_at <= {now}
order by s.wake_at, s.name

-- name: schedule_requested
select schedule, fire_us
from (select f.schedule, f.fire_at as fire_us, row_number() over (partition by f.schedule order by f.fire_at) as place
      from standpipe.firing f
      where f.outcome = 'requested' and f.schedule in (select value ->> 0 from jsonb_each(:names)))
where place <= :limit
order by schedule, fire_us

-- name: schedule_advance
update standpipe.schedule as s
set next_at = i.next_us, wake_at = i.wake_us, token = s.token + 1
from (select value ->> 0 as name, value ->> 1 as token, value ->> 2 as next_us, value ->> 3 as wake_us from jsonb_each(:fired)) i
where s.name = i.name and s.token = i.token
returning name

-- name: schedule_record
-- An instant that was decided stays as it is; one that was asked for is decided now.
insert into standpipe.firing as f (schedule, fire_at, outcome, started_run_id, error)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 from jsonb_each(:firings) where true
on conflict (schedule, fire_at) do update
set outcome = excluded.outcome, started_run_id = excluded.started_run_id, error = excluded.error, decided_at = {now}
where f.outcome = 'requested'
returning schedule, fire_at as fire_us

-- name: schedule_request
-- An instant for which no run was started may be asked for again.
insert into standpipe.firing as f (schedule, fire_at, outcome, requested_by)
select :name, value ->> 0, 'requested', :actor from jsonb_each(:instants) where true
on conflict (schedule, fire_at) do update
set outcome = 'requested', requested_by = excluded.requested_by, error = null, decided_at = {now}
where f.outcome in ('skipped', 'failed')
