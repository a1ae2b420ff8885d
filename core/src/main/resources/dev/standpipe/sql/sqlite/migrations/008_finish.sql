-- What a step has ended its run with, early. Until what is left of such a run is dropped, it is halting
-- with the reason 'finished'; then it has succeeded.
create table standpipe.finish (
  run_id text not null primary key,
  node   text not null,
  value  text not null
) without rowid;
