-- Windshield tags, and what people without an account leave with them (decision 0096).

-- A vehicle has one tag; a new one takes the place of the old, which is then as unknown as one that never was.
create table tags (
  id uuid primary key,
  vehicle_id uuid not null unique references vehicles on delete cascade,
  -- keyed hashes: whoever reads the database finds neither the address of a tag nor its digits
  token_hash bytea not null unique,
  digits_hash bytea not null unique,
  -- for the owner, to print it again
  token_encrypted bytea not null,
  created_at timestamptz not null default now()
);

-- Whether a message was left at the vehicle, by somebody without an account.
alter table messages add column left_at_vehicle boolean not null default false;

-- What a guest holds of a message they left: the hash of a secret that only their browser has.
create table receipts (
  id uuid primary key,
  message_id uuid not null unique references messages on delete cascade,
  receipt_hash bytea not null unique,
  language text not null check (language in ('en', 'fr', 'zh', 'yue', 'pa', 'es', 'ar', 'tl', 'it', 'pt')),
  created_at timestamptz not null default now()
);
create index receipts_created_at on receipts (created_at);

-- A block made from a guest's message also holds, for a while, for the network it came from.
alter table blocks add column blocked_network_hash bytea;
create index blocks_blocked_network_hash on blocks (blocked_network_hash) where blocked_network_hash is not null;

-- Takes a message from its recipient when the vehicle goes. The sender keeps it, unless there is none any more: an account, or
-- a guest with a receipt.
create or replace function release_message() returns trigger language plpgsql as $$
begin
  if old.vehicle_id is not null then
    delete from notifications where message_id = new.id and type = 'message_received';
    delete from outbox where ref_id = new.id and kind = 'message';
  end if;
  if new.sender_id is null and not exists (select from receipts where message_id = new.id) then
    delete from messages where id = new.id;
  end if;
  return null;
end $$;

-- Deletes a message that nobody can read any more once its receipt is gone.
create function release_receipt() returns trigger language plpgsql as $$
begin
  delete from messages where id = old.message_id and vehicle_id is null and sender_id is null;
  return null;
end $$;
create trigger receipts_release after delete on receipts for each row execute function release_receipt();
