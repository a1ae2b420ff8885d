-- Runs that are started together wait together: one row stands for the first task of each. It is nobody's own, so its run_id is
-- that of no run but a name that the runs know it by; runs holds theirs, of which the first since have been taken out.
-- Stored as it is: to compress it would take longer than to write it. See docs/decisions/020.
alter table standpipe.task add column runs uuid[];
alter table standpipe.task alter column runs set storage external;
alter table standpipe.task drop constraint standpipe_task_since_check;
alter table standpipe.task add constraint standpipe_task_since_check
  check (case when since is null then runs is null else state = 0 and since < coalesce(cardinality(runs), idx) end);

-- The row that this run's first task shares, or has shared.
alter table standpipe.run add column bundle uuid;

-- A run's row changes when it ends, often together with all its neighbours: there is to be room for that on its page, or
-- every index gets a new entry as well.
alter table standpipe.run set (fillfactor = 48);

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
  select r.id, t.node, t.idx, 'ready', t.attempt, t.crashes, t.token, t.owner, null, null
  from standpipe.run r join standpipe.task t on t.run_id = r.bundle
  where r.id = any (t.runs[t.since + 1:])
union all
  select q.run_id, q.node, q.idx, 'quarantined', q.attempt, q.crashes, q.token, null, null, null
  from standpipe.quarantine q;
