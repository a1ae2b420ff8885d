-- When a run is halted if it has not ended by then. Runs without a deadline have no row here; the row
-- goes when its time has come. What still runs then is interrupted and cut off like that of a canceled
-- run: a row in canceling says so.
create table standpipe.deadline (
  run_id text not null primary key,
  due_at integer not null
) without rowid;

create index standpipe_deadline_due on standpipe.deadline (due_at);
