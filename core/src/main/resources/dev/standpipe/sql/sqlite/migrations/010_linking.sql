-- What follows the end of a run. followed: 0 nothing does, 1 something does, 2 the run is also
-- compensated unless it succeeds, 3 it was, 4 that failed.
alter table standpipe.run add column followed integer not null default 0 check (followed between 0 and 4);

-- Runs that have ended and are followed, until what follows is written: whoever ends such a run puts the
-- row here in the same transaction, whoever takes it off writes what follows in the same transaction.
create table standpipe.ended (
  run_id   text not null primary key,
  ended_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer))
) without rowid;

-- Runs that were started because another ended: its callbacks and its compensation. nth tells the ends of
-- a run that was brought back in between, so that nothing is started twice for one end.
create table standpipe.dispatched (
  run_id   text not null primary key,
  original text not null,
  nth      integer not null,
  kind     text not null check (kind in ('on_success', 'on_failure', 'on_halt', 'on_complete', 'compensate')),
  unique (original, kind, nth)
) without rowid;

-- Which run waits for which, and whether the end of the upstream has been taken into account.
create table standpipe.chain (
  upstream   text not null,
  downstream text not null,
  resolved   integer not null default 0 check (resolved in (0, 1)),
  primary key (upstream, downstream)
) without rowid;

create index standpipe_chain_downstream on standpipe.chain (downstream);

-- Runs that wait for others to succeed. Their first tasks are scheduled out of reach. value_of is the run
-- whose result becomes the input, or otherwise if that is none; delay_us is how long the first tasks wait
-- after that.
create table standpipe.chained (
  run_id    text not null primary key,
  remaining integer not null check (remaining >= 0),
  delay_us  integer not null,
  value_of  text,
  otherwise text,
  check ((value_of is null) = (otherwise is null))
) without rowid;
