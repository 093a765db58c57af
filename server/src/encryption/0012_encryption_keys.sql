-- One row for each master key in use: what proves the key at start. A wrong or missing key stops the start.
create table encryption_keys (
  key_id text primary key,
  -- a known text encrypted with the key
  proof bytea not null,
  created_at timestamptz not null default now()
);

-- Secrets of this database, encrypted like what people write. They stay the same when the master key changes: what was made
-- with them (hashes for telling whether two things are equal) keeps its meaning.
create table encryption_secrets (
  id uuid primary key,
  name text not null unique,
  secret_encrypted bytea not null
);
