-- Runs by what is true of them; hidden pipelines, which have a dollar in their names, by these alone. They are read in the order of their ids, which is that of their starts.

-- name: run_count
select count(*) as n, cast(unixepoch('subsec') * 1000000 as integer) as now_us
from standpipe.run r join standpipe.status s on s.run_id = r.id
where (case when :pipeline is null then instr(r.pipeline, '$') = 0 else r.pipeline = :pipeline end)
  and s.status in (select value ->> 0 from jsonb_each(:statuses))
  and (:since_us is null or r.created_at >= :since_us)
  and (:until_us is null or r.created_at < :until_us)
  and not exists (select 1
                  from jsonb_each(:labels) l
                  where not exists (select 1 from json_each(r.labels) x
                                    where x.key = l.value ->> 0 and x.value = l.value ->> 1))

-- name: run_select
select r.id
from standpipe.run r join standpipe.status s on s.run_id = r.id
where (case when :pipeline is null then instr(r.pipeline, '$') = 0 else r.pipeline = :pipeline end)
  and s.status in (select value ->> 0 from jsonb_each(:statuses))
  and (:since_us is null or r.created_at >= :since_us)
  and (:until_us is null or r.created_at < :until_us)
  and not exists (select 1
                  from jsonb_each(:labels) l
                  where not exists (select 1 from json_each(r.labels) x
                                    where x.key = l.value ->> 0 and x.value = l.value ->> 1))
  and r.id > :after
order by r.id
limit :limit

-- name: run_newest
select r.id
from standpipe.run r join standpipe.status s on s.run_id = r.id
where (case when :pipeline is null then instr(r.pipeline, '$') = 0 else r.pipeline = :pipeline end)
  and s.status in (select value ->> 0 from jsonb_each(:statuses))
  and (:since_us is null or r.created_at >= :since_us)
  and (:until_us is null or r.created_at < :until_us)
  and not exists (select 1
                  from jsonb_each(:labels) l
                  where not exists (select 1 from json_each(r.labels) x
                                    where x.key = l.value ->> 0 and x.value = l.value ->> 1))
order by r.id desc
limit :limit
