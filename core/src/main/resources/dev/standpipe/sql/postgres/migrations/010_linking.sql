-- What follows the end of a run. followed: 0 nothing does, 1 something does, 2 the run is also
-- compensated unless it succeeds, 3 it was, 4 that failed.
alter table standpipe.run add column followed smallint not null default 0 check (followed between 0 and 4);

-- Runs that have ended and are followed, until what follows is written: whoever ends such a run puts the
-- row here in the same transaction, whoever takes it off writes what follows in the same transaction.
create table standpipe.ended (
  run_id   uuid primary key,
  ended_at timestamptz not null default clock_timestamp()
);

-- Runs that were started because another ended: its callbacks and its compensation. nth tells the ends of
-- a run that was brought back in between, so that nothing is started twice for one end.
create table standpipe.dispatched (
  run_id   uuid primary key,
  original uuid not null,
  nth      integer not null,
  kind     text not null check (kind in ('on_success', 'on_failure', 'on_halt', 'on_complete', 'compensate')),
  unique (original, kind, nth)
);

-- Which run waits for which, and whether the end of the upstream has been taken into account.
create table standpipe.chain (
  upstream   uuid not null,
  downstream uuid not null,
  resolved   boolean not null default false,
  primary key (upstream, downstream)
);

create index standpipe_chain_downstream on standpipe.chain (downstream);

-- Runs that wait for others to succeed. Their first tasks are scheduled out of reach. value_of is the run
-- whose result becomes the input, or otherwise if that is none; delay_us is how long the first tasks wait
-- after that.
create table standpipe.chained (
  run_id    uuid primary key,
  remaining integer not null check (remaining >= 0),
  delay_us  bigint not null,
  value_of  uuid,
  otherwise text,
  check ((value_of is null) = (otherwise is null))
);
