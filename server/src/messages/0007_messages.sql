-- Messages (spec §3). Texts are sealed (design decision 13): the database never holds one in clear.
create table messages (
  id uuid primary key,
  vehicle_id uuid not null references vehicles on delete cascade,
  -- a message stays with its recipient when the sender's account goes
  sender_id uuid references auth.users on delete set null,
  content_sealed bytea not null,
  reason text check (reason in ('blocked_in', 'lights_on', 'door_open', 'alarm', 'accident', 'flat_or_leak', 'towing',
    'someone_inside', 'other')),
  -- one image belongs to one message
  attachment_id uuid unique references attachments on delete restrict,
  is_read boolean not null default false,
  reply_sealed bytea,
  replied_at timestamptz,
  inserted_at timestamptz not null default now(),
  constraint replies_have_a_time check ((reply_sealed is null) = (replied_at is null))
);
-- Serve the two lists, newest first: ids are UUIDv7 and sort by time.
create index messages_vehicle_id on messages (vehicle_id, id desc);
create index messages_sender_id on messages (sender_id, id desc);

-- The image of a message goes with it.
create function delete_message_attachment() returns trigger language plpgsql as $$
begin
  delete from attachments where id = old.attachment_id;
  return null;
end $$;

create trigger messages_delete_attachment after delete on messages
  for each row when (old.attachment_id is not null) execute function delete_message_attachment();

-- A repeated send answers as the first did (header Idempotency-Key); kept for a day.
create table idempotency_keys (
  user_id uuid not null references auth.users on delete cascade,
  key text not null,
  -- keyed hash of what was sent: the same key with other contents is refused
  request_hash bytea not null,
  message_id uuid not null references messages on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_message_id on idempotency_keys (message_id);
create index idempotency_keys_created_at on idempotency_keys (created_at);
