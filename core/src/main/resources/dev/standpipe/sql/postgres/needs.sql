-- What there is to do, for every part of a process at once.

-- name: needs_look
select
  exists (select 1 from standpipe.task where state = :state.ready and lane = any (:lanes.lane::integer[])) as ready,
  exists (select 1 from standpipe.task where state = :state.suspect) as suspects,
  exists (select 1 from standpipe.task where state = :state.ready)
    or exists (select 1 from standpipe.task where state = :state.leased) as busy,
  exists (select 1 from standpipe.pause where resumed_at is null)
    or exists (select 1 from standpipe.pausing) as paused,
  exists (select 1 from standpipe.ended) as ended,
  exists (select 1 from standpipe.task where state = :state.halting)
    or exists (select 1 from standpipe.canceling) as stopped,
  exists (select 1 from standpipe.process where lease_expires_at < clock_timestamp()) as expired,
  (select count(*) from standpipe.process where lease_expires_at >= clock_timestamp()) as processes,
  (select greatest(0, extract(epoch from min(due_at) - clock_timestamp()) * 1000000)::bigint
   from standpipe.task where state = :state.scheduled having min(due_at) is not null) as task_us,
  (select greatest(0, extract(epoch from min(due_at) - clock_timestamp()) * 1000000)::bigint
   from standpipe.deadline having min(due_at) is not null) as deadline_us,
  (select {time_left(min(wake_at))} from standpipe.schedule having min(wake_at) is not null) as schedule_us
