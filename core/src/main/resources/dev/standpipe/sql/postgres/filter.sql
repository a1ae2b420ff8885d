-- fragment: from_matching_runs
from standpipe.run r join standpipe.status s on s.run_id = r.id
where (case when :pipeline::text is null then strpos(r.pipeline, '$') = 0 else r.pipeline = :pipeline end)
  and s.status = any (:statuses.status::text[])
  and (:since_us::bigint is null
       or r.created_at >= timestamptz 'epoch' + :since_us * interval '1 microsecond')
  and (:until_us::bigint is null
       or r.created_at < timestamptz 'epoch' + :until_us * interval '1 microsecond')
  and not exists (select 1
                  from unnest(:labels.name::text[], :labels.value::text[]) as l (name, value)
                  where r.labels::jsonb ->> l.name is distinct from l.value)
