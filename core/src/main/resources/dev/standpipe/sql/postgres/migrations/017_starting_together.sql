-- Runs that are started together wait together, and are taken together: one row stands for the first task of each. It is
-- nobody's own, so its run_id is that of no run but a name that the runs know it by; runs holds theirs. See docs/decisions/020.
-- A bundle is ready, and the first since of them have been taken out. A part is what somebody took out of one, leased as a whole;
-- done has a bit for each of them, set for those that have left it. The task of each has the id of the row less its idx.
-- Stored as they are: to compress ids takes longer than to write them.
alter table standpipe.task add column runs uuid[];
alter table standpipe.task add column done bit varying;
alter table standpipe.task alter column runs set storage external;
alter table standpipe.task drop constraint standpipe_task_since_check;
alter table standpipe.task add constraint standpipe_task_since_check
  check (case when since is null then runs is null and done is null
              when runs is null then state = 0 and since < idx and done is null
              else since < cardinality(runs) and state = case when done is null then 0 else 1 end end);

-- The bundle that this run's first task was in, if it was in one.
alter table standpipe.run add column bundle uuid;

-- A run's row changes when it ends, often together with all its neighbours: there is to be room for that on its page, or
-- every index gets a new entry as well.
alter table standpipe.run set (fillfactor = 48);

-- Each run once for each of its tasks, whether that has a row of its own or not.
create view standpipe.live as
  select t.run_id, abs(t.lane) as lane
  from standpipe.task t
  where t.runs is null
union all
  select m.run, t.lane
  from standpipe.task t, unnest(t.runs) with ordinality as m (run, place)
  where t.runs is not null
    and case when t.done is null then m.place > t.since else get_bit(t.done, m.place::integer - 1) = 0 end;

create or replace view standpipe.step as
  select r.run_id, r.node, case when r.idx < 0 then -1 - r.idx else r.idx end as idx,
         case when r.outcome = 1 then 'succeeded' when r.outcome = 4 then 'skipped'
              when r.attempt = 0 then 'lost' else 'failed' end as state,
         r.attempt, 0 as crashes, r.token, r.process as owner, r.finished_at, r.value
  from standpipe.result r
  where r.outcome <> 3 and r.node <> '$input'
union all
  select t.run_id, t.node, e.idx,
         case when t.state in (0, 3) then case when t.lane < 0 then 'paused' else 'ready' end
              when t.state = 1 then 'leased'
              when exists (select 1 from standpipe.signal s
                           where s.run_id = t.run_id and s.node = t.node and s.idx = t.idx
                             and s.value is null) then 'waiting'
              else 'scheduled' end,
         t.attempt, t.crashes, t.token, t.owner, null, null
  from standpipe.task t, generate_series(coalesce(t.since, t.idx), t.idx) as e (idx)
  where t.state <> 4 and t.runs is null
union all
  select r.id, t.node, 0, case when t.done is null then 'ready' else 'leased' end,
         t.attempt, t.crashes, t.token, t.owner, null, null
  from standpipe.run r join standpipe.task t on t.run_id = r.bundle,
       lateral (select array_position(t.runs, r.id) as place) m
  where case when t.done is null then m.place > t.since else get_bit(t.done, m.place - 1) = 0 end
union all
  select q.run_id, q.node, q.idx, 'quarantined', q.attempt, q.crashes, q.token, null, null, null
  from standpipe.quarantine q;
