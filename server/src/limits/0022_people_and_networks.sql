-- A counter says itself when nothing reads it any more: the end of its slice plus the length of its window. Counters of
-- strangers' tries, of a quarter of an hour, are then gone within the hour and do not fill the disk (decision 0076). The
-- default is for a process of the release before, which does not know the column.
alter table rate_counters add column expires_at timestamptz not null default now() + interval '32 days';
create index rate_counters_expires_at on rate_counters (expires_at);

-- The keyed hash of the mailbox an account belongs to (decision 0076). Accounts from before have none, and stay.
alter table auth.users add column person_hash bytea;
create index users_person_hash on auth.users (person_hash) where person_hash is not null;

-- What remains of a session's IP address after 90 days (decision 0095): a keyed hash of its network.
alter table auth.sessions add column network_hash bytea;
