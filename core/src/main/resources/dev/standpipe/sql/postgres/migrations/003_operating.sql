-- Runs that are being canceled: those with the status halting, or just ended, and the reason canceled.
-- What still runs of them after cut_off_at is cut off. The row goes when the run has ended.
create table standpipe.canceling (
  run_id     uuid primary key,
  cut_off_at timestamptz not null
);

-- A try that was cut off by a cancel is in the ledger as well.
alter table standpipe.attempt drop constraint standpipe_attempt_outcome_check;
alter table standpipe.attempt add constraint standpipe_attempt_outcome_check
  check (outcome in ('failed', 'timed_out', 'crashed', 'canceled'));

-- Runs that were started as another was.
create table standpipe.rerun (
  run_id   uuid primary key,
  original uuid not null
);

create index standpipe_rerun_original on standpipe.rerun (original);

-- How often the steps that the last revive of a run has started again may be retried, if it has said so.
create table standpipe.retry_limit (
  run_id uuid not null,
  node   text collate "C" not null,
  most   integer not null check (most >= 0),
  primary key (run_id, node)
);
