-- A bundle is a task that stands for its element and for those before it from since on, which have no rows yet. Who claims
-- some of them makes their rows, leased at once: they are spared the way through the queue. See docs/decisions/019.
alter table standpipe.task add column since integer;
alter table standpipe.task add constraint standpipe_task_since_check
  check (since is null or (since < idx and state = 0));

create index standpipe_task_bundle on standpipe.task (lane, (-priority), seq) where state = 0 and since is not null;

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
  where t.state <> 4
union all
  select q.run_id, q.node, q.idx, 'quarantined', q.attempt, q.crashes, q.token, null, null, null
  from standpipe.quarantine q;
