-- Like Standpipe's own, without what this loop never writes.
create table if not exists raw_run (
  id          uuid primary key,
  pipeline    text not null,
  lane        integer not null,
  status      text not null default 'running' check (status in ('running', 'succeeded')),
  priority    smallint not null,
  labels      text not null,
  created_at  timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  check ((status = 'succeeded') = (finished_at is not null))
) with (fillfactor = 48);

create sequence if not exists raw_task_seq cache 1;

create table if not exists raw_task (
  run_id   uuid not null,
  id       bigint not null,
  seq      bigint not null default nextval('raw_task_seq'),
  token    bigint not null,
  lane     integer not null,
  idx      integer not null,
  attempt  integer not null,
  crashes  integer not null,
  priority smallint not null,
  state    smallint not null check (state in (0, 1)),
  owner    uuid,
  node     text collate "C" not null,
  primary key (run_id, id),
  check ((state = 1) = (owner is not null))
) with (
  fillfactor = 60,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.2
);

create index if not exists raw_task_ready on raw_task (lane, priority desc, seq) where state = 0;
create index if not exists raw_task_owner on raw_task (owner) where state = 1;

create table if not exists raw_result (
  run_id      uuid not null,
  token       bigint not null,
  elapsed_us  bigint not null,
  finished_at timestamptz not null default clock_timestamp(),
  idx         integer not null,
  attempt     integer not null,
  outcome     smallint not null check (outcome in (1, 3)),
  process     uuid,
  node        text collate "C" not null,
  value       text not null,
  primary key (run_id, node, idx)
);

create table if not exists raw_arrival (
  run_id    uuid not null,
  need      integer not null,
  remaining integer not null check (remaining >= 0),
  node      text collate "C" not null,
  primary key (run_id, node)
) with (fillfactor = 70);
