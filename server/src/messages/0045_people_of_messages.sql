-- What a driver may read: the messages that came while they were one of the people of the vehicle, with what is theirs alone.
-- The owner reads all messages of the vehicle, and has these marks on the message itself.
create table driver_messages (
  driver_id uuid not null references vehicle_drivers on delete cascade,
  message_id uuid not null references messages on delete cascade,
  is_read boolean not null default false,
  has_replied boolean not null default false,
  primary key (driver_id, message_id)
);
create index driver_messages_message_id on driver_messages (message_id);

-- What is still to be done about a message to a vehicle with drivers, or about a reminder (decision 0099). A step is done in
-- the transaction that deletes its row: once, whichever process does it, and not lost with one.
create table message_steps (
  message_id uuid not null references messages on delete cascade,
  -- share: let the drivers read it, and tell everybody unless somebody has the car; everybody: tell them after all;
  -- nudge: remind those who were told
  step text not null check (step in ('share', 'everybody', 'nudge')),
  due_at timestamptz not null,
  primary key (message_id, step)
);
create index message_steps_due_at on message_steps (due_at);

alter table messages
  -- one of the drivers replied: which one stands in their own row, as long as they are one
  add column reply_by_driver boolean not null default false,
  -- the sender's one reminder
  add column nudged_at timestamptz;

-- Finds who is told of a message first: the driver who has the car, or the owner; for a vehicle of one person always the
-- owner. Volatile, and with a plan for full tables, for the reasons of send_facts.
create function first_told(vehicle uuid, owner uuid, sender uuid, secret bytea)
returns table (is_shared boolean, is_driver boolean, holder_id uuid, told_id uuid)
language plpgsql volatile rows 1 set enable_seqscan = off as $$
begin
  return query
  select people.n > 0, people.sends, holder.id, coalesce(holder.user_id, owner)
  from (
    select count(*) as n, coalesce(bool_or(p.user_id = sender), false) as sends
    from vehicle_drivers p where p.vehicle_id = vehicle
  ) people
  left join lateral (
    select p.id, p.user_id
    from vehicle_holders h join vehicle_drivers p on p.id = h.driver_id
    where people.n > 0 and h.vehicle_id = vehicle and (h.until is null or h.until > now())
      and not is_account_sanctioned(p.user_id, 'suspend')
      and not exists (select from blocks b where b.blocked_hash = blocked_hash(secret, p.user_id, 'received'))
  ) holder on true;
end $$;

-- A former driver hears nothing from that moment on, whatever ended it: leaving, being removed, the end of the account or the
-- vehicle. What was about to be told goes first, the messages themselves with the row.
create function silence_driver() returns trigger language plpgsql as $$
begin
  delete from notifications n using driver_messages d
  where d.driver_id = old.id and n.message_id = d.message_id and n.user_id = old.user_id
    and n.type in ('message_received', 'message_answered', 'message_nudged');
  delete from outbox o using driver_messages d
  where d.driver_id = old.id and o.ref_id = d.message_id and o.recipient_id = old.user_id and o.kind in ('message', 'nudge');
  return old;
end $$;
create trigger vehicle_drivers_silence before delete on vehicle_drivers
  for each row execute function silence_driver();

-- Takes what is new here from the recipients of a message whose vehicle goes, as release_message does with the rest.
create function release_shared_message() returns trigger language plpgsql as $$
begin
  delete from notifications where message_id = new.id and type in ('message_answered', 'message_nudged');
  delete from outbox where ref_id = new.id and kind = 'nudge';
  delete from message_steps where message_id = new.id;
  return null;
end $$;
create trigger messages_release_shared after update of vehicle_id on messages
  for each row when (old.vehicle_id is not null and new.vehicle_id is null) execute function release_shared_message();
