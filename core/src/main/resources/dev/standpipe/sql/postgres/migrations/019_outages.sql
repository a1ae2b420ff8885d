-- How long the lease of a process lasts from its renewal on.
alter table standpipe.process add column lease_us bigint not null default 15000000;

-- One row: since when processes have been heard of without a gap, and when the next of them is expected to be heard of. While
-- nobody is heard of, the database cannot tell a dead process from one that cannot reach it. See docs/decisions/024.
create table standpipe.heartbeat (
  id           smallint primary key check (id = 1),
  steady_since timestamptz not null,
  expected_by  timestamptz not null
);
