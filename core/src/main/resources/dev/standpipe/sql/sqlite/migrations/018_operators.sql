-- How many suspects a process may hold at once if this is one of them; nothing said is 1000. A claim writes how many it
-- made it, and a death halves that. Means something only while a task is a suspect. See docs/decisions/023.
alter table standpipe.task add column company integer check (company >= 1);

drop index standpipe.task_suspect;
create index standpipe_task_suspect on standpipe.task (coalesce(company, 1000) desc, crashes, seq) where state = 3;

-- When steps of a run that was stopped would have been due: those that waited for a time, not for another try. They wait on
-- for it if the run is brought back.
create table standpipe.put_off (
  run_id text not null,
  due_at integer not null,
  idx    integer not null,
  node   text not null,
  primary key (run_id, node, idx)
) without rowid;

-- Tries that were cut off from their tasks after the grace of a cancel, while their process was there: it interrupts their
-- bodies when it looks, and takes the row away.
create table standpipe.cut_off (
  process_id text not null,
  run_id     text not null,
  task       integer not null,
  token      integer not null,
  primary key (process_id, run_id, task, token)
) without rowid;
