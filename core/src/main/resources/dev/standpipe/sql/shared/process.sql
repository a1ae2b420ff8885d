-- name: process_join
insert into standpipe.process (id, name, host, pid, crash_limit, lease_us, lease_expires_at)
values (:id, :name, :host, :pid, :crash_limit, :lease_us, {now} + {duration(:lease_us)})

-- name: process_release
update standpipe.task as t
set state = {claimable(t)}, owner = null, seq = {next_seq(t)}
where t.owner = :id and t.state = :state.leased

-- name: process_leave
delete from standpipe.process where id = :id

-- name: process_unserve
delete from standpipe.serving where process_id = :id

-- name: process_unlimit
delete from standpipe.crash_limit where process_id = :id

-- name: process_forget_cut_off
-- Nobody is left who could interrupt them.
delete from standpipe.cut_off
where process_id = :id or not exists (select 1 from standpipe.process p where p.id = process_id)

-- name: process_expired
-- Holding the row keeps the process from renewing, and other reapers off it, until this ends. A process that has not renewed has
-- had a lease's time in which others could, up to this moment: an outage of the database is nobody's death.
select p.id, p.name
from standpipe.process p
where p.lease_expires_at < {now}
  and p.id <> :by
  and exists (select 1 from standpipe.heartbeat h
              where h.expected_by >= {now}
                and h.steady_since + {duration(p.lease_us)} <= {now})
order by p.id
limit 1
{for_update_skip_locked(p)}

-- name: process_live
select id
from standpipe.process
where id = :id and lease_expires_at >= {now}

-- name: process_known
select id from standpipe.process where id = :id

-- name: process_lock
select id, name
from standpipe.process
where id = :id
{for_update}
