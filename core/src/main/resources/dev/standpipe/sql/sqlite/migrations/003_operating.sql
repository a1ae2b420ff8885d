-- Runs that are being canceled: those with the status halting, or just ended, and the reason canceled.
-- What still runs of them after cut_off_at is cut off. The row goes when the run has ended.
create table standpipe.canceling (
  run_id     text not null primary key,
  cut_off_at integer not null
) without rowid;

-- A try that was cut off by a cancel is in the ledger as well. A check cannot be changed, so the table
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
  outcome     text not null check (outcome in ('failed', 'timed_out', 'crashed', 'canceled')),
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

-- Runs that were started as another was.
create table standpipe.rerun (
  run_id   text not null primary key,
  original text not null
) without rowid;

create index standpipe_rerun_original on standpipe.rerun (original);

-- How often the steps that the last revive of a run has started again may be retried, if it has said so.
create table standpipe.retry_limit (
  run_id text not null,
  node   text not null,
  most   integer not null check (most >= 0),
  primary key (run_id, node)
) without rowid;
