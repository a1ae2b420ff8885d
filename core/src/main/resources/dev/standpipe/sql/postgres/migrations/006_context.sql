-- What the steps of a run share by name. replaces tells whether the last to write it asked for that.
create table standpipe.context (
  run_id     uuid not null,
  token      bigint not null,
  written_at timestamptz not null default clock_timestamp(),
  idx        integer not null,
  replaces   boolean not null,
  node       text collate "C" not null,
  key        text collate "C" not null,
  value      text not null,
  primary key (run_id, key)
);
