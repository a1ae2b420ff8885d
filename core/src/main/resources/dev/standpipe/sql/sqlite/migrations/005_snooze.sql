-- A body may ask to be run again later without having failed. A check cannot be changed, so the table
-- is made anew.
create table standpipe.attempt_next (
  run_id      text not null,
  node        text not null,
  idx         integer not null,
  token       integer not null,
  elapsed_us  integer not null,
  finished_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  attempt     integer not null,
  process     text not null,
  outcome     text not null check (outcome in ('failed', 'timed_out', 'crashed', 'canceled', 'snoozed')),
  error_type  text,
  error       text,
  trace       text,
  primary key (run_id, node, idx, token)
) without rowid;

insert into standpipe.attempt_next
  (run_id, node, idx, token, elapsed_us, finished_at, attempt, process, outcome, error_type, error, trace)
select run_id, node, idx, token, elapsed_us, finished_at, attempt, process, outcome, error_type, error, trace
from standpipe.attempt;

drop table standpipe.attempt;
alter table standpipe.attempt_next rename to standpipe_attempt;
