-- Runs by what is true of them; hidden pipelines, which have a dollar in their names, by these alone. They are read in the order of their ids, which is that of their starts.

-- name: run_count
select count(*) as n, {micros({now})} as now_us
{from_matching_runs}

-- name: run_select
select r.id
{from_matching_runs}
  and r.id > :after
order by r.id
limit :limit

-- name: run_newest
select r.id
{from_matching_runs}
order by r.id desc
limit :limit
