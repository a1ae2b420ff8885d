-- What the outbox needs of lists, and where one statement does what takes several elsewhere.

-- name: outbox_add_keys
-- In key order, as all that is locked. Of two events with one key, the one that was emitted first has it.
insert into standpipe.outbox_key (type, key, event_id)
select e.type, e.key, e.id
from unnest(:keys.type::text[], :keys.key::text[], :keys.id::uuid[]) with ordinality as e (type, key, id, ord)
order by e.type, e.key, e.ord
on conflict do nothing
returning event_id

-- name: outbox_key_owners
select k.event_id
from unnest(:keys.type::text[], :keys.key::text[]) as e (type, key)
     join standpipe.outbox_key k on k.type = e.type and k.key = e.key

-- name: outbox_add
-- The events get their places in the order of the list. One snapshot tells whether there are sinks and hands the events to them.
with fresh as (
  insert into standpipe.outbox (id, aggregatetype, aggregateid, type, payload, headers, slot, run_id, node, idx, relayed)
  select e.id, e.topic, e.subject, e.type, e.payload, e.headers, e.slot, e.run, e.node, e.idx,
         exists (select 1 from standpipe.outbox_sink)
  from unnest(:events.id::uuid[], :events.topic::text[], :events.subject::text[], :events.type::text[], :events.payload::text[],
              :events.headers::text[], :events.slot::smallint[], :events.run::uuid[], :events.node::text[], :events.idx::integer[])
       with ordinality as e (id, topic, subject, type, payload, headers, slot, run, node, idx, ord)
  order by e.ord
  returning id, slot, place, aggregateid
)
insert into standpipe.outbox_delivery (sink, slot, place, event_id, subject)
select k.name, f.slot, f.place, f.id, f.aggregateid from fresh f cross join standpipe.outbox_sink k

-- name: outbox_adopt
-- Hands events to the sinks that came after them.
with found as materialized (
  select o.id from standpipe.outbox o
  where not o.relayed and exists (select 1 from standpipe.outbox_sink)
  order by o.place
  limit 10000
  for update of o
), adopted as (
  update standpipe.outbox o set relayed = true from found f where o.id = f.id
  returning o.id, o.slot, o.place, o.aggregateid
)
insert into standpipe.outbox_delivery (sink, slot, place, event_id, subject)
select k.name, a.slot, a.place, a.id, a.aggregateid from adopted a cross join standpipe.outbox_sink k

-- name: outbox_claim
-- The slot that was claimed least often of those where something is to be published.
with free as materialized (
  select s.sink, s.slot
  from standpipe.outbox_slot s
  where s.sink = :sink and {unpaused_slot(s)}
    and exists (select 1 from standpipe.outbox_delivery d where d.sink = s.sink and d.slot = s.slot and {is_due(d)})
  order by s.token
  limit 1
  for update of s skip locked
)
update standpipe.outbox_slot s
set token = s.token + 1, held_by = :relay, leased_until = {now} + {duration(:lease_us)}
from free f
where s.sink = f.sink and s.slot = f.slot
returning s.slot, s.token, s.failures

-- name: outbox_fetch
-- By place. One that another of its subject is before, which has failed and waits, waits as well. An event is looked up by its id
-- whatever the plan.
select {outbox_event}, d.tries, {micros({now})} as now_us,
       (select {time_left(max(f.due_at))} from standpipe.outbox_delivery f
        where f.sink = :sink and f.slot = :slot and f.subject = d.subject and f.place < d.place and f.due_at > {now}) as blocked_us,
       (select u.place from standpipe.outbox u where not u.relayed order by u.place limit 1) is not null as unrelayed
from (select d.place, d.event_id, d.tries, d.subject
      from standpipe.outbox_delivery d
      where d.sink = :sink and d.slot = :slot and {is_due(d)}
      order by d.place
      limit :limit) d,
     lateral (select * from standpipe.outbox where id = d.event_id offset 0) o
order by d.place

-- name: outbox_share
-- Of two sinks that take an event at the same time, one sees that the other has taken it. There is nothing to see if there is one sink.
select o.id
from standpipe.outbox o
where (select count(*) from standpipe.outbox_sink) > 1 and o.id = any (:events.id::uuid[])
order by o.id
for update

-- name: outbox_take
-- What the sink has taken, or refused for good, is not to be delivered any more.
with gone as (
  delete from standpipe.outbox_delivery d
  using unnest(:events.place::bigint[]) as e (place)
  where d.sink = :sink and d.slot = :slot and d.place = e.place
  returning d.event_id
)
delete from standpipe.outbox o
using gone g
where o.id = g.event_id and not ({wanted_elsewhere(o)})

-- name: outbox_put_off
update standpipe.outbox_delivery d
set tries = e.tries, due_at = {now} + {duration(e.delay_us)}, error = coalesce(e.error, d.error)
from unnest(:events.place::bigint[], :events.tries::integer[], :events.delay_us::bigint[], :events.error::text[])
       as e (place, tries, delay_us, error)
where d.sink = :sink and d.slot = :slot and d.place = e.place

-- name: outbox_bury
insert into standpipe.outbox_dead (sink, event_id, tries, error)
select :sink, e.id, e.tries, e.error
from unnest(:events.id::uuid[], :events.tries::integer[], :events.error::text[]) as e (id, tries, error)
on conflict do nothing
