-- How many suspects a process may hold at once if this is one of them; nothing said is 1000. A claim writes how many it
-- made it, and a death halves that. Means something only while a task is a suspect. See docs/decisions/023.
alter table standpipe.task add column company integer check (company >= 1);

drop index standpipe.task_suspect;
create index standpipe_task_suspect on standpipe.task ((coalesce(company, 1000)) desc, crashes, seq) where state = 3;

-- When steps of a run that was stopped would have been due: those that waited for a time, not for another try. They wait on
-- for it if the run is brought back.
create table standpipe.put_off (
  run_id uuid not null,
  due_at timestamptz not null,
  idx    integer not null,
  node   text collate "C" not null,
  primary key (run_id, node, idx)
);

-- Tries that were cut off from their tasks after the grace of a cancel, while their process was there: it interrupts their
-- bodies when it looks, and takes the row away.
create table standpipe.cut_off (
  process_id uuid not null,
  run_id     uuid not null,
  task       bigint not null,
  token      bigint not null,
  primary key (process_id, run_id, task, token)
);
