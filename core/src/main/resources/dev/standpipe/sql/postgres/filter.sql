-- Runs by what is true of them; hidden pipelines, which have a dollar in their names, by these alone. They are read in the order of their ids, which is that of their starts.

-- name: run_count
select count(*) as n, (extract(epoch from clock_timestamp()) * 1000000)::bigint as now_us
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

-- name: run_select
select r.id
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
  and r.id > :after
order by r.id
limit :limit

-- name: run_newest
select r.id
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
order by r.id desc
limit :limit
