-- What the tables say, in words. Views are made anew whenever the tables change.

-- Each run once for each of its tasks, whether that has a row of its own or not.
create view standpipe.live as
  select t.run_id, t.lane
  from standpipe.task t
  where t.runs is null
union all
  select m.run, t.lane
  from standpipe.task t, unnest(t.runs) with ordinality as m (run, place)
  where t.runs is not null
    and case when t.done is null then m.place > t.first_index else get_bit(t.done, m.place::integer - 1) = 0 end;

-- Each step that has ended or has begun to wait. Those that still wait for others are not here.
create view standpipe.step as
  select r.run_id, r.node, case when r.idx < 0 then -1 - r.idx else r.idx end as idx,
         case when r.outcome = :outcome.succeeded then 'succeeded' when r.outcome = :outcome.skipped then 'skipped'
              when r.attempt = 0 then 'upstream_failed' else 'failed' end as state,
         r.attempt, 0 as crashes, r.token, r.process_id as owner, r.finished_at, r.value
  from standpipe.result r
  where r.outcome <> :outcome.element and r.node <> :node.input
union all
  select t.run_id, t.node, e.idx,
         case when t.state in (:state.ready, :state.suspect) then case when exists (select 1 from standpipe.lane l where l.id = t.lane and l.parks_for is not null)
                  then 'paused' else 'ready' end
              when t.state = :state.leased then 'leased'
              when exists (select 1 from standpipe.signal s
                           where s.run_id = t.run_id and s.node = t.node and s.idx = t.idx
                             and s.value is null) then 'waiting'
              else 'scheduled' end,
         t.attempt, t.crashes, t.token, t.owner, null, null
  from standpipe.task t, generate_series(coalesce(t.first_index, t.idx), t.idx) as e (idx)
  where t.state <> :state.halting and t.runs is null
union all
  select r.id, t.node, 0, case when t.done is null then 'ready' else 'leased' end,
         t.attempt, t.crashes, t.token, t.owner, null, null
  from standpipe.run r join standpipe.task t on t.run_id = r.bundle,
       lateral (select array_position(t.runs, r.id) as place) m
  where case when t.done is null then m.place > t.first_index else get_bit(t.done, m.place - 1) = 0 end
union all
  select q.run_id, q.node, q.idx, 'quarantined', q.attempt, q.crashes, q.token, null, null, null
  from standpipe.quarantine q;
