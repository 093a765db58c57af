-- Notes on windshields (decision 0097): what somebody with the code and the plate can open, and nobody else.
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

-- The row of a note among the messages of its sender: without a plate and without its text, and the same whatever becomes of
-- the note. When its reader claims it, plate and text come with the vehicle, for the reader alone.
alter table messages
  alter column plate drop not null,
  add column is_note boolean not null default false,
  add constraint messages_have_a_plate check (plate is not null or is_note);

-- As before, except that a note has no vehicle to complete it from.
create or replace function complete_message() returns trigger language plpgsql as $$
begin
  if new.is_note then return new; end if;
  select coalesce(new.plate, v.plate), coalesce(new.addressed_to, v.id) into new.plate, new.addressed_to
  from vehicles v where v.id = new.vehicle_id;
  return new;
end $$;
