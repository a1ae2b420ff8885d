-- A body may ask to be run again later without having failed.
alter table standpipe.attempt drop constraint standpipe_attempt_outcome_check;
alter table standpipe.attempt add constraint standpipe_attempt_outcome_check
  check (outcome in ('failed', 'timed_out', 'crashed', 'canceled', 'snoozed'));
