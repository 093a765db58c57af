-- Secrets of this database, sealed like what people write. They stay the same when the master key changes: what was made
-- with them (hashes for telling whether two things are equal) keeps its meaning.
create table sealing_secrets (
  id uuid primary key,
  name text not null unique,
  secret_sealed bytea not null
);
