-- What there is to do, for every part of a process at once; and where to see that others have written, besides heartbeats. A
-- table has a single page, its root, until it grows.

-- name: needs_look
select
  exists (select 1 from standpipe.task where state = :state.ready and lane in (select value ->> 0 from json_each(:lanes))) as ready,
  exists (select 1 from standpipe.task where state = :state.suspect) as suspects,
  exists (select 1 from standpipe.task where state = :state.ready)
    or exists (select 1 from standpipe.task where state = :state.leased) as busy,
  exists (select 1 from standpipe.pause where resumed_at is null)
    or exists (select 1 from standpipe.pausing) as paused,
  exists (select 1 from standpipe.ended) as ended,
  exists (select 1 from standpipe.task where state = :state.halting)
    or exists (select 1 from standpipe.canceling) as stopped,
  exists (select 1 from standpipe.process
          where lease_expires_at < {now}) as expired,
  (select count(*) from standpipe.process
   where lease_expires_at >= {now}) as processes,
  (select max(0, min(due_at) - {now})
   from standpipe.task where state = :state.scheduled) as task_us,
  (select max(0, min(due_at) - {now})
   from standpipe.deadline) as deadline_us,
  (select max(0, min(wake_at) - {now}) from standpipe.schedule) as schedule_us,
  (select file from pragma_database_list where name = 'main') as file,
  (select group_concat(rootpage) from sqlite_master
   where tbl_name in ('standpipe_process', 'standpipe_heartbeat')) as heartbeats

-- name: needs_version
-- Changes with everything that is written, by other connections and by this one, and reads no table.
select data_version || '-' || total_changes() as version from pragma_data_version
