-- What the steps of a run share by name. replaces tells whether the last to write it asked for that.
create table standpipe.context (
  run_id     text not null,
  key        text not null,
  value      text not null,
  replaces   integer not null,
  node       text not null,
  idx        integer not null,
  token      integer not null,
  written_at integer not null default (cast(unixepoch('subsec') * 1000000 as integer)),
  primary key (run_id, key)
) without rowid;
