-- Counters behind limits (decision rate-limits), in the database so that they hold over several processes and restarts.
create table rate_counters (
  -- what is limited and for whom; addresses stand here as keyed hashes only
  key text not null,
  window_start timestamptz not null,
  count integer not null,
  -- When nothing reads it any more: the end of its slice plus the length of its window. Counters of strangers' tries, of a
  -- quarter of an hour, are then gone within the hour and do not fill the disk (decision rate-limits).
  expires_at timestamptz not null,
  primary key (key, window_start)
);
create index rate_counters_expires_at on rate_counters (expires_at);
