-- Messages (requirements §3). Texts are sealed (decision 0058): the database never holds one in clear.
create table messages (
  id uuid primary key,
  vehicle_id uuid not null references vehicles on delete cascade,
  -- a message stays with its recipient when the sender's account goes
  sender_id uuid references auth.users on delete set null,
  content_sealed bytea not null,
  reason text check (reason in ('blocked_in', 'lights_on', 'door_open', 'alarm', 'accident', 'flat_or_leak', 'towing',
    'someone_inside', 'other')),
  -- one image belongs to one message
  attachment_id uuid references attachments on delete restrict,
  is_read boolean not null default false,
  reply_sealed bytea,
  replied_at timestamptz,
  inserted_at timestamptz not null default now(),
  -- a repeated send answers as the first did (header Idempotency-Key) …
  idempotency_key text,
  -- … and the same key with other contents is refused; a keyed hash, so that nobody can try texts against it
  request_hash bytea,
  constraint replies_have_a_time check ((reply_sealed is null) = (replied_at is null)),
  constraint keys_have_a_hash check ((idempotency_key is null) = (request_hash is null))
);
-- Serve the two lists, newest first: ids are UUIDv7 and sort by time.
create index messages_vehicle_id on messages (vehicle_id, id desc);
create index messages_sender_id on messages (sender_id, id desc);
create unique index messages_attachment_id on messages (attachment_id) where attachment_id is not null;
create unique index messages_idempotency_key on messages (sender_id, idempotency_key) where idempotency_key is not null;

-- The image of a message goes with it.
create function delete_message_attachment() returns trigger language plpgsql as $$
begin
  delete from attachments where id = old.attachment_id;
  return null;
end $$;

create trigger messages_delete_attachment after delete on messages
  for each row when (old.attachment_id is not null) execute function delete_message_attachment();
