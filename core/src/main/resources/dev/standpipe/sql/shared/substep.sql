-- What tries write before they end, and what the next ones read of it.

-- name: substep_find
select key, value, token from standpipe.substep where run_id = :run and node = :node and idx = :idx

-- name: checkpoint_find
select value, token from standpipe.checkpoint where run_id = :run and node = :node and idx = :idx
