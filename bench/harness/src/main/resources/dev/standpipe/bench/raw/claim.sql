-- The whole predicate is asserted again on the row that is updated.
update raw_task t
set state = 1, owner = ?::uuid, token = t.token + 1
where t.state + 0 = 0
  and t.ctid = any (array(
    select ctid from raw_task where lane = 1 and state = 0
    order by priority desc, seq limit ?::integer for update skip locked
  ))
returning t.run_id, t.id, t.node, t.idx, t.token,
          (select r.value from raw_result r
           where r.run_id = t.run_id and r.node = '$input' and r.idx = 0) as value
