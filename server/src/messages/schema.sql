-- Messages (requirements §3). Texts are encrypted (decision encryption-at-rest): the database never contains one in clear. What a sender
-- sees of a message does not depend on its recipient (decision mutual-anonymity).
create table messages (
  id uuid primary key,
  -- null: the vehicle is gone, or the message was never delivered (decision mutual-anonymity); only the sender has it
  vehicle_id uuid references vehicles on delete set null,
  -- the vehicle it was written to and is encrypted for, also once that is gone
  addressed_to uuid not null,
  -- a message stays with its recipient when the sender's account is deleted
  sender_id uuid references auth.users on delete set null,
  -- the plate as the sender typed it: all that the sender reads of it
  plate text check (plate ~ '^[A-Z0-9-]{1,8}$'),
  -- the text, the link of its image, and its collision
  content_encrypted bytea not null,
  reason text check (reason in ('blocked_in', 'lights_on', 'door_open', 'alarm', 'accident', 'flat_or_leak', 'towing',
    'someone_inside', 'other')),
  -- one image belongs to one message
  attachment_id uuid references attachments on delete restrict,
  -- Whether the sender hit or saw, and how far a witness has come (decision collision-messages), stands in the content; here as soon as
  -- that has changed. Of one length, so that nothing here tells which messages have a card.
  has_collision boolean not null default false,
  collision_encrypted bytea,
  -- Whether it was left at the vehicle, by somebody without an account (decision windshield-tag).
  left_at_vehicle boolean not null default false,
  -- A note on a windshield (decision windshield-note): without a plate and without its text, and the same whatever becomes of the note.
  -- When its reader claims it, plate and text come with the vehicle, for the reader alone.
  is_note boolean not null default false,
  is_read boolean not null default false,
  -- from when on the sender sees that the email was refused for good
  email_failed_at timestamptz,
  -- the sender's one reminder
  nudged_at timestamptz,
  reply_encrypted bytea,
  -- a reply that was one tap (decision replies-and-search); its text is stored too, and may be the empty one
  reply_answer text check (reply_answer in ('coming', 'in_5', 'in_15', 'not_my_car', 'thanks')),
  replied_at timestamptz,
  -- one of the drivers replied: which one stands in their own row, as long as they are one
  reply_by_driver boolean not null default false,
  -- the sender had blocked whoever replied: only the recipient sees the reply
  reply_withheld boolean not null default false,
  -- moderators removed the reply (decision admin-inbox); whoever wrote it does not get another one
  reply_removed boolean not null default false,
  -- The persons who wrote the message and the reply (`hashPerson`), so that they can be blocked and reported when their
  -- account is gone. Encrypted for the message: nothing in the database says which messages came from one person.
  sender_person_encrypted bytea,
  owner_person_encrypted bytea,
  inserted_at timestamptz not null default now(),
  -- a repeated send returns the first result (header Idempotency-Key) …
  idempotency_key text,
  -- … and the same key with other contents is refused; a keyed hash, so that nobody can test guesses
  request_hash bytea,
  constraint messages_have_a_plate check (plate is not null or is_note),
  constraint replies_have_a_time check ((reply_encrypted is null) = (replied_at is null)),
  constraint answers_are_replies check (reply_answer is null or reply_encrypted is not null),
  constraint keys_have_a_hash check ((idempotency_key is null) = (request_hash is null))
);
-- Serve the two lists, newest first: ids are UUIDv7 and sort by time.
create index messages_vehicle_id on messages (vehicle_id, id desc);
create index messages_sender_id on messages (sender_id, id desc);
-- those whose period is over (decision retention-and-deletion)
create index messages_inserted_at on messages (inserted_at);
create unique index messages_attachment_id on messages (attachment_id) where attachment_id is not null;
create unique index messages_idempotency_key on messages (sender_id, idempotency_key) where idempotency_key is not null;
create trigger messages_deletions after delete on messages
  referencing old table as gone for each statement execute function record_deletions();

-- What goes with messages, in whatever way they are deleted: their image, emails about them, pending ones too, and their cards,
-- which can be found only with the keys, by a job.
create function delete_with_messages() returns trigger language plpgsql as $$
begin
  delete from attachments a using gone where a.id = gone.attachment_id;
  delete from outbox where id in (
    select o.id from outbox o join gone on o.ref_id = gone.id and o.kind in ('message', 'nudge', 'reply')
    order by o.id
    for update of o
  );
  insert into collisions_to_forget (message_id) select id from gone where has_collision
  on conflict do nothing;
  return null;
end $$;
create trigger messages_delete_others after delete on messages
  referencing old table as gone for each statement execute function delete_with_messages();

-- Takes a message from its recipients when the vehicle goes. The sender keeps it, unless there is none any more: an account, or
-- a guest with a receipt.
create function release_message() returns trigger language plpgsql as $$
begin
  if old.vehicle_id is not null then
    delete from notifications
    where message_id = new.id and type in ('message_received', 'message_answered', 'message_nudged');
    delete from outbox where ref_id = new.id and kind in ('message', 'nudge');
  end if;
  if new.sender_id is null and not exists (select from receipts where message_id = new.id) then
    delete from messages where id = new.id;
  end if;
  return null;
end $$;
create trigger messages_release after update of vehicle_id, sender_id on messages
  for each row when (new.vehicle_id is null) execute function release_message();

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

-- The links in emails with which one person answers one message without a session (decision answer-links). Most of what ends one is no
-- row here: whoever looks for it asks for the message, the vehicle and the account as they are then.
create table answer_links (
  -- a keyed hash of the secret in the link
  token_hash bytea primary key,
  message_id uuid not null references messages on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  -- whether its email has the text of the message: the page shows no more
  shows_text boolean not null,
  created_at timestamptz not null default now()
);
create index answer_links_message_id on answer_links (message_id);
create index answer_links_user_id on answer_links (user_id);
create index answer_links_created_at on answer_links (created_at);

-- A former driver hears nothing from that moment on, whatever ended it: leaving, being removed, the end of the account or the
-- vehicle. What was told or is about to be goes first, the messages themselves with the row.
create function silence_driver() returns trigger language plpgsql as $$
begin
  delete from notifications n using driver_messages d
  where d.driver_id = old.id and n.message_id = d.message_id and n.user_id = old.user_id
    and n.type in ('message_received', 'message_answered', 'message_nudged');
  delete from notifications n
  where n.user_id = old.user_id and n.type = 'driver_joined' and n.data ->> 'vehicle_id' = old.vehicle_id::text;
  delete from outbox o using driver_messages d
  where d.driver_id = old.id and o.ref_id = d.message_id and o.recipient_id = old.user_id and o.kind in ('message', 'nudge');
  return old;
end $$;
create trigger vehicle_drivers_silence before delete on vehicle_drivers
  for each row execute function silence_driver();

-- The key of the count of messages from a person to a vehicle since its last reply, delivered or not, which outlives the
-- sender's account (decision rate-limits). Made of the sender's secret and the vehicle, so that the keys of two vehicles cannot be
-- told to be of one person by anybody who has only the database.
create function pair_counter_key(secret bytea, vehicle_id uuid) returns text language sql immutable strict parallel safe as $$
  select 'pair:' || encode(sha256(secret || uuid_send(vehicle_id)), 'base64')
$$;

-- What a plate leads to: how many have it, who is reached, and where.
create function vehicles_with_plate(key text, wanted text, sender uuid)
returns table (known bigint, live bigint, vehicle_id uuid, owner_id uuid, plate text, live_in text[], all_own boolean)
language sql stable rows 1 as $$
  select count(*), count(*) filter (where v.reachable),
    (array_agg(v.id) filter (where v.reachable))[1],
    (array_agg(v.user_id) filter (where v.reachable))[1],
    (array_agg(v.plate) filter (where v.reachable))[1],
    array_agg(v.province order by v.province) filter (where v.reachable),
    bool_and(v.user_id = sender)
  from (
    select v.id, v.user_id, v.plate, v.province, is_reachable(v.status, v.paused) and suspended.yes is null as reachable
    from vehicles v
    join auth.users owner on owner.id = v.user_id
    left join lateral (
      select true as yes from live_sanctions s where s.person_hash = owner.person_hash and s.kind = 'suspend' limit 1
    ) suspended on true
    where v.plate_key = key and (wanted is null or v.province = wanted)
    offset 0
  ) v
$$;

-- The same for the plate that reads like one that nobody has. In plpgsql, so that its plan costs nothing where it is not called; with
-- a plan for full tables, as facts_for_sends.
create function vehicles_with_look_alike(key text, wanted text, sender uuid)
returns table (known bigint, live bigint, vehicle_id uuid, owner_id uuid, plate text, live_in text[], all_own boolean)
language plpgsql stable rows 1 set enable_seqscan = off as $$
begin
  return query
  select v.* from look_alike(key, wanted) a cross join lateral vehicles_with_plate(a.plate_key, a.province, sender) v;
end $$;

-- Waits for other sends of the same people, and reads what decides a batch of sends, a row for each. It is volatile so that what
-- it reads is newer than that wait: the statement that calls it would see the database as it was before, and two processes could
-- both accept the last message under a limit. Batches lock in one order and cannot deadlock. The decisions are made in
-- send-statement.ts.
create function facts_for_sends(
  sends jsonb,
  -- the precision of counted times, and how much of a day's own makes the networks of a person matter
  slice interval, network_slice interval, own_sends integer, own_misses integer
) returns table (
  ord bigint, first_day boolean, is_limited boolean,
  sent_hour bigint, sent_day bigint, missed_hour bigint, missed_day bigint,
  -- in the order of the networks of the send; null where they do not matter
  network_first_day bigint[], network_missed bigint[],
  known bigint, live bigint, all_own boolean, vehicle_id uuid, owner_id uuid, plate text, live_in text[],
  -- whether the sender drives the vehicle, and who gets the message: the owner, with a null id of a driver, then the drivers
  is_driver boolean, recipient_ids uuid[], driver_ids uuid[],
  pair_key text, pair_day bigint, pair_month bigint,
  earlier_id uuid, earlier_hash bytea, earlier_at timestamptz, earlier_plate text
) language plpgsql volatile rows 16
-- A plan is made once per connection, perhaps while the tables are empty. It has to be the plan for full tables, which
-- looks up each row by its index.
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  hour_ago timestamptz := now() - interval '1 hour' - slice;
  day_ago timestamptz := now() - interval '1 day' - slice;
begin
  perform pg_advisory_xact_lock(locks.key) from (
    -- by the key of the person, of whom several accounts may send at the same moment
    select distinct hashtextextended('send from ' || counter, 0) as key from jsonb_to_recordset(sends) as s (counter text)
    order by key offset 0
  ) locks;
  -- a statement of its own after the locks, so that it reads what those waited for
  return query
    select i.ord, coalesce(account.first_day, false), limited.yes is not null,
      counted.sent_hour, counted.sent_day, counted.missed_hour, counted.missed_day, networks.first_day, networks.missed,
      found.known, found.live, found.all_own, found.vehicle_id, found.owner_id, found.plate, found.live_in,
      drivers.sends, found.owner_id || drivers.user_ids, null::uuid || drivers.ids,
      pair.key, counted.pair_day, counted.pair_month,
      earlier.id, earlier.request_hash, earlier.inserted_at, earlier.plate
    from jsonb_to_recordset(sends) as i (ord bigint, sender_id uuid, counter text, plate_key text, province text, key text,
      pair_secret bytea, first_day_keys text[], miss_keys text[])
    left join lateral (
      select coalesce(u.email_confirmed_at, u.created_at) > now() - interval '24 hours' as first_day, u.person_hash
      from auth.users u where u.id = i.sender_id offset 0
    ) account on true
    left join lateral (
      select true as yes from live_sanctions s where s.person_hash = account.person_hash and s.kind = 'limit' limit 1
    ) limited on true
    cross join lateral vehicles_with_plate(i.plate_key, i.province, i.sender_id) typed
    left join lateral (
      select a.* from vehicles_with_look_alike(i.plate_key, i.province, i.sender_id) a where typed.known = 0 offset 0
    ) alike on true
    cross join lateral (
      select coalesce(alike.known, typed.known) as known, coalesce(alike.live, typed.live) as live,
        coalesce(alike.vehicle_id, typed.vehicle_id) as vehicle_id, coalesce(alike.owner_id, typed.owner_id) as owner_id,
        coalesce(alike.plate, typed.plate) as plate, coalesce(alike.live_in, typed.live_in) as live_in,
        coalesce(alike.all_own, typed.all_own) as all_own
    ) found
    cross join lateral (
      select coalesce(bool_or(p.user_id = i.sender_id), false) as sends,
        array_agg(p.user_id order by p.id) filter (where not p.is_suspended) as user_ids,
        array_agg(p.id order by p.id) filter (where not p.is_suspended) as ids
      from (
        select id, user_id, is_account_sanctioned(user_id, 'suspend') as is_suspended
        from vehicle_drivers where vehicle_id = found.vehicle_id offset 0
      ) p
    ) drivers
    cross join lateral (
      select pair_counter_key(i.pair_secret, found.vehicle_id) as key offset 0
    ) pair
    -- what the person sent, asked in vain, and sent to this vehicle
    cross join lateral (
      select coalesce(sum(c.count) filter (where c.key = i.counter and c.window_start > hour_ago), 0)::bigint as sent_hour,
        coalesce(sum(c.count) filter (where c.key = i.counter and c.window_start > day_ago), 0)::bigint as sent_day,
        coalesce(sum(c.count) filter (where c.key = i.counter || ':miss' and c.window_start > hour_ago), 0)::bigint as missed_hour,
        coalesce(sum(c.count) filter (where c.key = i.counter || ':miss' and c.window_start > day_ago), 0)::bigint as missed_day,
        coalesce(sum(c.count) filter (where c.key = pair.key and c.window_start > day_ago), 0)::bigint as pair_day,
        coalesce(sum(c.count) filter (where c.key = pair.key), 0)::bigint as pair_month
      from rate_counters c
      where c.key in (i.counter, i.counter || ':miss', pair.key) and c.window_start > now() - interval '30 days' - slice
    ) counted
    cross join lateral (
      select account.first_day and counted.sent_day >= own_sends as first_day, counted.missed_day >= own_misses as missed
    ) matters
    left join lateral (
      select array_agg(sums.first_day order by n.place) filter (where matters.first_day) as first_day,
        array_agg(sums.missed order by n.place) filter (where matters.missed) as missed
      from unnest(i.first_day_keys, i.miss_keys) with ordinality n (first_day_key, miss_key, place)
      cross join lateral (
        select coalesce(sum(c.count) filter (where c.key = n.first_day_key), 0)::bigint as first_day,
          coalesce(sum(c.count) filter (where c.key = n.miss_key), 0)::bigint as missed
        from rate_counters c
        where c.key in (n.first_day_key, n.miss_key) and c.window_start > now() - interval '1 day' - network_slice
      ) sums
      where matters.first_day or matters.missed
    ) networks on true
    left join lateral (
      select m.id, m.request_hash, m.inserted_at, m.plate
      from messages m
      where m.sender_id = i.sender_id and m.idempotency_key = i.key
      offset 0
    ) earlier on true;
end $$;
