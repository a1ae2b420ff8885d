-- The outbox. An event is a row, and for each sink another one until the sink has taken it; see docs/outbox.md.

-- fragment: unpaused_slot(slot)
-- Nobody has the slot, its sink is not paused, and it is not resting after a failure.
exists (select 1 from standpipe.outbox_sink k where k.name = {slot}.sink and k.paused_at is null)
      and ({slot}.leased_until is null or {slot}.leased_until <= {now})
      and ({slot}.retry_at is null or {slot}.retry_at <= {now})

-- fragment: is_due(delivery)
({delivery}.due_at is null or {delivery}.due_at <= {now})

-- fragment: wanted_elsewhere(event)
-- Another sink has still to get the event, or has refused it for good.
exists (select 1 from standpipe.outbox_sink k join standpipe.outbox_delivery w on w.sink = k.name
                      where k.name <> :sink and w.slot = {event}.slot and w.place = {event}.place)
      or exists (select 1 from standpipe.outbox_sink k join standpipe.outbox_dead w on w.sink = k.name
                 where w.event_id = {event}.id)

-- name: outbox_add_sink
insert into standpipe.outbox_sink (name) values (:sink) on conflict do nothing

-- name: outbox_add_slots
insert into standpipe.outbox_slot (sink, slot)
with recursive n (slot) as (select 0 union all select slot + 1 from n where slot < 63)
select {typed(:sink, text)}, slot from n where true
on conflict do nothing

-- name: outbox_ready
-- Whether a claim would find something.
select s.slot
from standpipe.outbox_slot s
where s.sink = :sink and {unpaused_slot(s)}
  and exists (select 1 from standpipe.outbox_delivery d where d.sink = s.sink and d.slot = s.slot and {is_due(d)})
limit 1

-- name: outbox_hold
-- The relay still has the slot, and has it for longer now.
update standpipe.outbox_slot
set leased_until = {now} + {duration(:lease_us)}
where sink = :sink and slot = :slot and token = :token and held_by is not null

-- name: outbox_give_back
update standpipe.outbox_slot
set held_by = null, leased_until = null, failures = :failures,
    retry_at = case when :rest_us > 0 then {now} + {duration(:rest_us)} end
where sink = :sink and slot = :slot and token = :token and held_by is not null

-- name: outbox_sinks
select k.name, {micros(k.paused_at)} as paused_us, k.paused_by, k.pause_reason,
       (select count(*) from standpipe.outbox_delivery d where d.sink = k.name) as pending,
       (select count(*) from standpipe.outbox_dead x where x.sink = k.name) as dead,
       (select {micros({now})} - {micros(min(o.created_at))}
        from standpipe.outbox_slot s
             join standpipe.outbox o
               on o.id = (select d.event_id from standpipe.outbox_delivery d
                          where d.sink = s.sink and d.slot = s.slot order by d.place limit 1)
        where s.sink = k.name) as oldest_us
from standpipe.outbox_sink k
order by k.name

-- name: outbox_sink_names
select name from standpipe.outbox_sink order by name

-- name: outbox_pending
select {outbox_event}, {micros({now})} as now_us, d.tries
from standpipe.outbox_delivery d join standpipe.outbox o on o.id = d.event_id
where d.sink = :sink
order by d.place
limit :limit

-- name: outbox_dead_letters
select {outbox_event}, {micros({now})} as now_us, x.tries, x.error, {micros(x.died_at)} as died_us
from standpipe.outbox_dead x join standpipe.outbox o on o.id = x.event_id
where x.sink = :sink
order by o.place
limit :limit

-- fragment: outbox_event
-- What is read of the event o.
o.id, o.place, o.run_id, o.idx, o.slot, o.aggregatetype, o.aggregateid, o.type, o.node, o.headers, o.payload,
       {micros(o.created_at)} as created_us

-- name: outbox_revive_dead
insert into standpipe.outbox_delivery (sink, slot, place, event_id, subject)
select x.sink, o.slot, o.place, o.id, o.aggregateid
from standpipe.outbox_dead x join standpipe.outbox o on o.id = x.event_id
where x.sink = :sink and x.event_id = :event

-- name: outbox_drop_dead
delete from standpipe.outbox_dead where sink = :sink and event_id = :event

-- name: outbox_drop_event
-- If nobody wants it any more; its delivery to this sink is over.
delete from standpipe.outbox
where id = :event and not ({wanted_elsewhere(standpipe.outbox)})

-- name: outbox_lock_event
select id from standpipe.outbox where id = :event {for_update}

-- name: outbox_pause
update standpipe.outbox_sink set paused_at = {now}, paused_by = :actor, pause_reason = :reason where name = :sink and paused_at is null

-- name: outbox_resume
update standpipe.outbox_sink set paused_at = null, paused_by = null, pause_reason = null where name = :sink and paused_at is not null

-- name: outbox_note
insert into standpipe.outbox_audit (actor, action, sink, event_id, reason)
values (:actor, :action, :sink, {typed(:event, uuid)}, :reason)

-- name: outbox_remove_sink
delete from standpipe.outbox_sink where name = :sink

-- name: outbox_remove_slots
delete from standpipe.outbox_slot where sink = :sink

-- name: outbox_remove_dead
delete from standpipe.outbox_dead where sink = :sink

-- name: outbox_remove_deliveries
delete from standpipe.outbox_delivery where sink = :sink

-- name: outbox_remove_unwanted
-- Events that were handed to sinks and that no sink has still to get.
delete from standpipe.outbox
where {is_true(relayed)}
  and not exists (select 1 from standpipe.outbox_sink k join standpipe.outbox_delivery w on w.sink = k.name
                  where w.slot = standpipe.outbox.slot and w.place = standpipe.outbox.place)
  and not exists (select 1 from standpipe.outbox_dead w where w.event_id = standpipe.outbox.id)
