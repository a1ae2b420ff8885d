-- What the outbox needs of lists.

-- name: outbox_add_keys
insert into standpipe.outbox_key (type, key, event_id)
select value ->> 0, value ->> 1, value ->> 2 from jsonb_each(:keys) where true
on conflict do nothing
returning event_id

-- name: outbox_key_owners
select k.event_id
from jsonb_each(:keys) e cross join standpipe.outbox_key k on k.type = e.value ->> 0 and k.key = e.value ->> 1

-- name: outbox_add
-- In the order of the list.
insert into standpipe.outbox (id, aggregatetype, aggregateid, type, payload, headers, slot, run_id, node, idx, relayed)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8, value ->> 9,
       exists (select 1 from standpipe.outbox_sink)
from jsonb_each(:events)
order by key

-- name: outbox_hand_over
insert into standpipe.outbox_delivery (sink, slot, place, event_id, subject)
select k.name, o.slot, o.place, o.id, o.aggregateid
from jsonb_each(:events) e cross join standpipe.outbox o on o.id = e.value ->> 0 cross join standpipe.outbox_sink k

-- name: outbox_adopt
-- Hands events to the sinks that came after them.
insert into standpipe.outbox_delivery (sink, slot, place, event_id, subject)
select k.name, o.slot, o.place, o.id, o.aggregateid
from standpipe.outbox o cross join standpipe.outbox_sink k
where o.relayed = 0

-- name: outbox_adopted
update standpipe.outbox set relayed = 1 where relayed = 0 and exists (select 1 from standpipe.outbox_sink)

-- name: outbox_claim
-- The slot that was claimed least often of those where something is to be published.
update standpipe.outbox_slot
set token = token + 1, held_by = :relay, leased_until = {now} + {duration(:lease_us)}
where sink = :sink
  and slot = (select s.slot from standpipe.outbox_slot s
              where s.sink = :sink and {unpaused_slot(s)}
                and exists (select 1 from standpipe.outbox_delivery d where d.sink = s.sink and d.slot = s.slot and {is_due(d)})
              order by s.token
              limit 1)
returning slot, token, failures

-- name: outbox_fetch
-- By place. One that another of its subject is before, which has failed and waits, waits as well.
select {outbox_event}, d.tries, {micros({now})} as now_us,
       (select {time_left(max(f.due_at))} from standpipe.outbox_delivery f
        where f.sink = :sink and f.slot = :slot and f.subject = d.subject and f.place < d.place and f.due_at > {now}) as blocked_us,
       exists (select 1 from standpipe.outbox u where u.relayed = 0) as unrelayed
from (select d.place, d.event_id, d.tries, d.subject
      from standpipe.outbox_delivery d
      where d.sink = :sink and d.slot = :slot and {is_due(d)}
      order by d.place
      limit :limit) d
     cross join standpipe.outbox o on o.id = d.event_id
order by d.place

-- name: outbox_take
-- What the sink has taken, or refused for good, is not to be delivered any more.
delete from standpipe.outbox_delivery
where sink = :sink and slot = :slot and place in (select value ->> 0 from jsonb_each(:events))

-- name: outbox_drop
delete from standpipe.outbox
where id in (select value ->> 1 from jsonb_each(:events)) and not ({wanted_elsewhere(standpipe.outbox)})

-- name: outbox_put_off
update standpipe.outbox_delivery as d
set tries = e.tries, due_at = {now} + e.delay_us, error = coalesce(e.error, d.error)
from (select value ->> 0 as place, value ->> 1 as tries, value ->> 2 as delay_us, value ->> 3 as error from jsonb_each(:events)) e
where d.sink = :sink and d.slot = :slot and d.place = e.place

-- name: outbox_bury
insert into standpipe.outbox_dead (sink, event_id, tries, error)
select :sink, value ->> 0, value ->> 1, value ->> 2 from jsonb_each(:events) where true
on conflict do nothing
