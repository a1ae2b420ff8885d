-- How long the lease of a process lasts from its renewal on.
alter table standpipe.process add column lease_us integer not null default 15000000;

-- One row: since when processes have been heard of without a gap, and when the next of them is expected to be heard of. While
-- nobody is heard of, the database cannot tell a dead process from one that cannot reach it. See docs/decisions/024.
create table standpipe.heartbeat (
  id           integer primary key check (id = 1),
  steady_since integer not null,
  expected_by  integer not null
);
