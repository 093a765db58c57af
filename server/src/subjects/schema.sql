-- A person as admins know them: the mailbox behind their accounts (decision rate-limits). The id outlives every
-- account, so that reports and sanctions stay with the person.
create table subjects (
  id uuid primary key,
  -- the keyed hash of the mailbox, see hashPerson
  person_hash bytea not null unique,
  created_at timestamptz not null default now()
);
