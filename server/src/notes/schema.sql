-- Notes on windshields (decision windshield-note): what somebody with the code and the plate can open, and nobody else.
create table notes (
  id uuid primary key,
  -- the sender's row among the messages; null: it is gone
  message_id uuid unique references messages on delete set null,
  -- an argon2id hash of the code under a key that is not in the database; neither code nor plate is stored
  code_hash bytea not null unique,
  -- Encrypted under a key made of the envelope's data key and an argon2id hash of code and plate: the master key alone does
  -- not open it.
  key_envelope bytea not null,
  content_box bytea not null,
  created_at timestamptz not null default now(),
  opened_at timestamptz,
  replied_at timestamptz,
  expires_at timestamptz not null
);
create index notes_expires_at on notes (expires_at);
create trigger notes_deletions after delete on notes
  referencing old table as gone for each statement execute function record_deletions();
