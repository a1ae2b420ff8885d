-- What schedules need of lists.

-- name: schedule_add
-- Of several processes that declare one at once, one adds it.
insert into standpipe.schedule
  (name, pipeline, cron, zone, every_us, missed, missed_limit, overlap, jitter_us, declared, input, changed_by, next_at, wake_at)
select name, pipeline, cron, zone, every_us, missed, missed_limit, overlap, jitter_us, declared, input, changed_by,
       {time(next_us)}, {time(next_us)}
from unnest(:schedules.name::text[], :schedules.pipeline::text[], :schedules.cron::text[], :schedules.zone::text[],
            :schedules.every_us::bigint[], :schedules.missed::text[], :schedules.missed_limit::integer[],
            :schedules.overlap::text[], :schedules.jitter_us::bigint[], :schedules.declared::boolean[],
            :schedules.input::text[], :schedules.changed_by::text[], :schedules.next_us::bigint[])
       as i (name, pipeline, cron, zone, every_us, missed, missed_limit, overlap, jitter_us, declared, input, changed_by, next_us)
order by name
on conflict do nothing
returning name

-- name: schedule_due
-- Who fires them reads them without a lock, and finds by their token whether somebody else was faster.
select {schedule_columns}, {micros({now})} as now_us,
       (select r.id from standpipe.run r
        where r.finished_at is null
          and r.id = (select f.started_run_id from standpipe.firing f
                      where f.schedule = s.name and f.outcome = 'started' order by f.fire_at desc limit 1)) as unended_run_id
from standpipe.schedule s
where s.name = any (:names.name::text[]) and s.wake_at <= {now}
order by s.wake_at, s.name

-- name: schedule_requested
select f.schedule, {micros(f.fire_at)} as fire_us
from unnest(:names.name::text[]) as i (name),
     lateral (select schedule, fire_at from standpipe.firing
              where schedule = i.name and outcome = 'requested' order by fire_at limit :limit) f
order by f.schedule, f.fire_at

-- name: schedule_advance
-- In the order of names, as all who do.
with held as (
  select s.name, i.next_us, i.wake_us
  from unnest(:fired.name::text[], :fired.token::bigint[], :fired.next_us::bigint[], :fired.wake_us::bigint[])
         as i (name, token, next_us, wake_us)
       join standpipe.schedule s on s.name = i.name and s.token = i.token
  order by s.name
  for update of s
)
update standpipe.schedule s
set next_at = {time(h.next_us)}, wake_at = {time(h.wake_us)}, token = s.token + 1
from held h
where s.name = h.name
returning s.name

-- name: schedule_record
-- An instant that was decided stays as it is; one that was asked for is decided now.
insert into standpipe.firing as f (schedule, fire_at, outcome, started_run_id, error)
select i.schedule, {time(i.fire_us)}, i.outcome, i.run, i.error
from unnest(:firings.schedule::text[], :firings.fire_us::bigint[], :firings.outcome::text[], :firings.run::uuid[],
            :firings.error::text[]) as i (schedule, fire_us, outcome, run, error)
on conflict (schedule, fire_at) do update
set outcome = excluded.outcome, started_run_id = excluded.started_run_id, error = excluded.error, decided_at = clock_timestamp()
where f.outcome = 'requested'
returning schedule, {micros(fire_at)} as fire_us

-- name: schedule_request
-- An instant for which no run was started may be asked for again.
insert into standpipe.firing as f (schedule, fire_at, outcome, requested_by)
select :name, {time(i.fire_us)}, 'requested', :actor
from unnest(:instants.fire_us::bigint[]) as i (fire_us)
on conflict (schedule, fire_at) do update
set outcome = 'requested', requested_by = excluded.requested_by, error = null, decided_at = clock_timestamp()
where f.outcome in ('skipped', 'failed')
