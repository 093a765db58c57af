-- One row for each master key in use, to check it at start. A wrong or missing key stops the start.
create table encryption_keys (
  key_id text primary key,
  -- a known text encrypted with the key
  proof bytea not null,
  created_at timestamptz not null default now()
);

-- Secrets of this database, encrypted like what users write. They stay the same when the master key changes, so that the
-- hashes made with them can still be compared.
create table encryption_secrets (
  id uuid primary key,
  name text not null unique,
  secret_encrypted bytea not null
);
