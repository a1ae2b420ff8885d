-- Runs that a step of another has called; nth tells the calls of one step apart. spent is the try of the
-- step that failed because the called run did: 0 if the caller was revived since.
create table standpipe.called (
  run_id uuid primary key,
  parent uuid not null,
  idx    integer not null,
  nth    integer not null check (nth >= 1),
  spent  integer,
  node   text collate "C" not null,
  unique (parent, node, idx, nth)
);
