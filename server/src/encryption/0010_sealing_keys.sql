-- One row for each master key in use: what it proves the key with at start. A wrong or missing key stops the start.
create table sealing_keys (
  key_id text primary key,
  -- a known text sealed with the key
  proof bytea not null,
  created_at timestamptz not null default now()
);
