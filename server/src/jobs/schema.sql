-- What runs and how it fares, for /admin/system and the metrics (decision process-health). Nothing here is about a person.

-- The last run of each background job, by any process.
create table job_runs (
  name text primary key,
  -- how often it is to run
  every_s double precision not null,
  started_at timestamptz not null,
  -- null: the first run has not ended
  took_ms integer,
  -- null while `took_ms` is
  ok boolean,
  -- the name or code of the error, never its text
  error text,
  succeeded_at timestamptz
) with (fillfactor = 70);

-- What an operator ran by a command, such as 'backup'. Older ones of a name are deleted with the next.
create table operations_runs (
  name text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  ok boolean,
  detail text,
  -- whether a thief cannot read what it made
  is_encrypted boolean not null default false,
  primary key (name, started_at)
);

-- The processes, each with its own figures, written by itself every 30 s; one not seen for two minutes has ended.
create table processes (
  id uuid primary key,
  role text not null,
  version text not null,
  node text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null default now(),
  streams integer not null,
  pool_size integer not null,
  pool_in_use integer not null,
  pool_waiting integer not null,
  -- since the last report: those that got no connection in time
  pool_refused integer not null,
  event_loop_delay_ms double precision not null,
  memory_bytes bigint not null,
  -- of the data folder; null where there is none
  disk_free_bytes bigint,
  disk_total_bytes bigint
) with (fillfactor = 70);
