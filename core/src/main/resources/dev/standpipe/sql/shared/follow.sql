-- What follows the end of a run.

-- name: ended_list
select run_id from standpipe.ended order by ended_at, run_id limit :limit offset :skipped

-- name: ended_forget
-- A run that is brought back has not ended after all, as far as nothing has followed.
delete from standpipe.ended where run_id = :run

-- name: dispatch_add
-- The last end of a run is told from those before by how often it, or its compensation, was brought back.
insert into standpipe.dispatched (run_id, original_run_id, kind, end_number)
select {typed(:run, uuid)}, {typed(:original, uuid)}, {typed(:kind, text)}, count(*)
from standpipe.audit
where action in ('release', 'revive')
  and (run_id = :original
       or run_id in (select run_id from standpipe.dispatched where original_run_id = :original and kind = 'compensate'))

-- name: chained_add
insert into standpipe.chained (run_id, remaining, delay_us, input_run_id, default_input)
values (:run, :remaining, :delay_us, :value_of, :otherwise)

-- name: chain_wait
update standpipe.run set status = 'waiting' where id = :run

-- name: chain_resolve
update standpipe.chain set resolved = true where upstream_run_id = :run and not resolved
returning downstream_run_id

-- name: chained_arrive
update standpipe.chained set remaining = remaining - 1 where run_id = :run
returning remaining

-- name: chained_forget
delete from standpipe.chained where run_id = :run

-- name: chained_abandon
-- A run that is stopped waits for nothing any more.
delete from standpipe.chained as c
where c.run_id = :run and exists (select 1 from standpipe.run r where r.id = c.run_id and {is_stopping(r.status)})

-- name: chain_ready
update standpipe.task as t
set state = case when c.delay_us > 0 then :state.scheduled else :state.ready end,
    due_at = case when c.delay_us > 0 then {now} + {duration(c.delay_us)} end,
    seq = {next_seq(t)}
from standpipe.chained c
where c.run_id = :run and t.run_id = c.run_id and t.state = :state.scheduled

-- name: chain_begin
-- One that is paused begins when it is resumed, and one that was stopped does not.
update standpipe.run set status = 'running' where id = :run and status = 'waiting'

-- name: chain_clear
delete from standpipe.task where run_id = :run and state = :state.scheduled

-- name: compensated
-- One whose compensation has failed, too: that may have been brought back.
update standpipe.run set status = :status where id = :run and status in ('compensating', 'compensation_failed')
