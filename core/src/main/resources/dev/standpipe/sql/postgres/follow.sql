-- What follows the end of a run.

-- name: ended_mark
insert into standpipe.ended (run_id)
select run from unnest(:runs.run::uuid[]) as i (run)

-- name: ended_list
select run_id from standpipe.ended order by ended_at limit :limit

-- name: ended_take
-- One that somebody else is at is passed by.
delete from standpipe.ended
where run_id in (select run_id from standpipe.ended where run_id = :run for update skip locked)

-- name: ended_forget
-- A run that is brought back has not ended after all, as far as nothing has followed.
delete from standpipe.ended where run_id = :run

-- name: dispatch_add
-- The last end of a run is told from those before by how often it, or its compensation, was brought back.
insert into standpipe.dispatched (run_id, original, kind, nth)
select :run::uuid, :original::uuid, :kind::text, count(*)
from standpipe.audit
where action in ('release', 'revive')
  and (run_id = :original
       or run_id in (select run_id from standpipe.dispatched where original = :original and kind = 'compensate'))
