-- The values a join gets, of many runs at once.
select r.run_id, r.value
from unnest(?::uuid[]) as k (run),
     lateral (
       select run_id, value from raw_result
       where run_id = k.run and node = any (?::text[])
       offset 0
     ) r
