-- fragment: from_matching_runs
from standpipe.run r join standpipe.status s on s.run_id = r.id
where (case when :pipeline is null then instr(r.pipeline, '$') = 0 else r.pipeline = :pipeline end)
  and s.status in (select value ->> 0 from jsonb_each(:statuses))
  and (:since_us is null or r.created_at >= :since_us)
  and (:until_us is null or r.created_at < :until_us)
  and not exists (select 1
                  from jsonb_each(:labels) l
                  where not exists (select 1 from json_each(r.labels) x
                                    where x.key = l.value ->> 0 and x.value = l.value ->> 1))
