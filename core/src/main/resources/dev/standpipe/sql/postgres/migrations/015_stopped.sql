-- Runs that do not go on for now: those that are halting, and those that are paused. They are few, so whoever settles a
-- step looks here instead of at its run, and finds nothing at next to no cost. What changes a run so that it belongs
-- here, or no longer does, changes this with the same statement. See docs/decisions/018.
create table standpipe.stopped (
  run_id uuid primary key
);

insert into standpipe.stopped (run_id)
select id from standpipe.run where status = 'halting' or (status = 'running' and paused_at is not null);
