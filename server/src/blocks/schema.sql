-- Blocking (decision blocking-people): a person whose messages, or whose replies, no longer reach somebody.
create table blocks (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  -- as whom the user made it, when that is a driver: it then holds for the vehicle, as long as they drive it
  driver_id uuid references vehicle_drivers on delete cascade,
  -- The message it was made from: what the list calls it by. All of it stands here, because the block outlives the message,
  -- its vehicle and the account of the person who is blocked.
  message_id uuid not null,
  plate text not null check (plate ~ '^[A-Z0-9-]{1,8}$'),
  message_inserted_at timestamptz not null,
  view text not null check (view in ('received', 'sent')),
  -- Whom it is about, for this receiver alone: two who block one person cannot be told to. Null when nothing was known of that
  -- person any more.
  blocked_hash bytea,
  -- made from a guest's message, it also holds for a while for the network that came from
  blocked_network_hash bytea,
  created_at timestamptz not null default now(),
  unique (user_id, message_id)
);
create index blocks_blocked_hash on blocks (blocked_hash) where blocked_hash is not null;
create index blocks_blocked_network_hash on blocks (blocked_network_hash) where blocked_network_hash is not null;
create index blocks_user_id on blocks (user_id, id desc);
create index blocks_driver_id on blocks (driver_id) where driver_id is not null;
create trigger blocks_deletions after delete on blocks
  referencing old table as gone for each statement execute function record_deletions();

-- What a block is found by: the secret of the person who writes, who would receive it (an account, or the vehicle that a driver
-- blocked for), and what it is. The view is the one in which the receiver would see the message.
create function blocked_hash(secret bytea, receiver_id uuid, view text) returns bytea
language sql immutable strict parallel safe as $$
  select sha256(secret || uuid_send(receiver_id) || convert_to(view, 'UTF8'))
$$;
