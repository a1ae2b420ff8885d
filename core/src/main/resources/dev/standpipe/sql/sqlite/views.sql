-- What the tables say, in words. Views are made anew whenever the tables change.

-- Each step that has ended or has begun to wait. Those that still wait for others are not here.
create view standpipe.step as
  select r.run_id, r.node, case when r.idx < 0 then -1 - r.idx else r.idx end as idx,
         case when r.outcome = :outcome.succeeded then 'succeeded' when r.outcome = :outcome.skipped then 'skipped'
              when r.attempt = 0 then 'upstream_failed' else 'failed' end as state,
         r.attempt, 0 as crashes, r.token, r.process_id as owner, r.finished_at, r.value
  from standpipe.result r
  where r.outcome <> :outcome.element and r.node <> :node.input
union all
  select t.run_id, t.node, t.idx,
         case when t.state in (:state.ready, :state.suspect) then case when exists (select 1 from standpipe.lane l where l.id = t.lane and l.parks_for is not null)
                  then 'paused' else 'ready' end
              when t.state = :state.leased then 'leased'
              when exists (select 1 from standpipe.signal s
                           where s.run_id = t.run_id and s.node = t.node and s.idx = t.idx
                             and s.value is null) then 'waiting'
              else 'scheduled' end,
         t.attempt, t.crashes, t.token, t.owner, null, null
  from standpipe.task t
  where t.state <> :state.halting
union all
  select q.run_id, q.node, q.idx, 'quarantined', q.attempt, q.crashes, q.token, null, null, null
  from standpipe.quarantine q;
