-- Runs that a step of another has called; nth tells the calls of one step apart. spent is the try of the
-- step that failed because the called run did: 0 if the caller was revived since.
create table standpipe.called (
  run_id text not null primary key,
  parent text not null,
  node   text not null,
  idx    integer not null,
  nth    integer not null check (nth >= 1),
  spent  integer,
  unique (parent, node, idx, nth)
) without rowid;
