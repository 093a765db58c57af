-- What a sender sees of a message does not depend on its recipient (decisions 0078 to 0081).
alter table messages
  -- the plate as the sender typed it: all that the sender reads of it
  add column plate text check (plate ~ '^[A-Z0-9-]{1,8}$'),
  -- the vehicle the message was written to and is encrypted for, also once that is gone
  add column addressed_to uuid,
  -- from when on the sender sees that the email was refused for good
  add column email_failed_at timestamptz;

update messages m set plate = v.plate, addressed_to = v.id, email_failed_at = (
  select o.failed_at + interval '10 minutes' + random() * interval '50 minutes'
  from outbox o where o.ref_id = m.id and o.kind = 'message' and o.failed_at is not null)
from vehicles v where v.id = m.vehicle_id;

alter table messages
  alter column plate set not null,
  alter column addressed_to set not null,
  -- null: the vehicle is gone, or the message was never delivered (decision 0079); only the sender has it
  alter column vehicle_id drop not null,
  drop constraint messages_vehicle_id_fkey,
  add constraint messages_vehicle_id_fkey foreign key (vehicle_id) references vehicles on delete set null;

-- Completes what a process of the version before this one inserts while it is being replaced.
create function complete_message() returns trigger language plpgsql as $$
begin
  select coalesce(new.plate, v.plate), coalesce(new.addressed_to, v.id) into new.plate, new.addressed_to
  from vehicles v where v.id = new.vehicle_id;
  return new;
end $$;
create trigger messages_complete before insert on messages
  for each row when (new.plate is null or new.addressed_to is null) execute function complete_message();

-- A pair is counted by the vehicle the messages were written to, whether or not they were delivered.
drop index messages_pair, messages_pair_replies;
create index messages_pair on messages (sender_id, addressed_to, id desc);
create index messages_pair_replies on messages (sender_id, addressed_to, replied_at) where replied_at is not null;

-- Takes a message from its recipient when the vehicle goes. The sender keeps it, unless there is none any more.
create function release_message() returns trigger language plpgsql as $$
begin
  if old.vehicle_id is not null then
    delete from notifications where message_id = new.id and type = 'message_received';
    delete from outbox where ref_id = new.id and kind = 'message';
  end if;
  if new.sender_id is null then delete from messages where id = new.id; end if;
  return null;
end $$;
create trigger messages_release after update of vehicle_id, sender_id on messages
  for each row when (new.vehicle_id is null) execute function release_message();

-- One refused address fails the emails about all messages to its owner at once. Each sender sees it at a time of its own,
-- so that the moment does not tell which messages have one recipient.
create function note_refused_email() returns trigger language plpgsql as $$
begin
  update messages set email_failed_at = now() + interval '10 minutes' + random() * interval '50 minutes'
  where id = new.ref_id and email_failed_at is null;
  return null;
end $$;
create trigger outbox_note_refused after update of failed_at on outbox
  for each row when (new.kind = 'message' and old.failed_at is null and new.failed_at is not null)
  execute function note_refused_email();

-- Emails about messages are purged like all others, now that nothing is read from them.
drop index outbox_ended;
create index outbox_ended on outbox (created_at) where sent_at is not null or failed_at is not null;

-- Reads what the sends of a batch depend on, one row for each. It first waits for other sends of the same users and to
-- the same plates. It is volatile so that what it then reads is newer than that wait: the statement that calls it would
-- see the database as it was before, and two processes could both accept the last message under a limit. Batches lock in
-- one order and cannot deadlock. The decisions are made in send-statement.ts.
create or replace function send_facts(
  senders uuid[], counters text[], plate_keys text[], provinces text[], idempotency_keys text[],
  -- the precision of counted times, and the numbers of messages from which a pair and a vehicle are counted
  slice interval, pair_day_most integer, pair_month_most integer, vehicle_hour_most integer
) returns table (
  ord bigint, first_day boolean, sent_hour bigint, sent_day bigint, missed_hour bigint, missed_day bigint,
  known bigint, live bigint, all_own boolean, vehicle_id uuid, owner_id uuid, plate text, live_in text[],
  pair_day bigint, pair_month bigint, vehicle_hour bigint,
  earlier_id uuid, earlier_hash bytea, earlier_at timestamptz, earlier_plate text
) language plpgsql volatile rows 16
-- A plan is made once per connection, perhaps while the tables are empty. It has to be the plan for full tables, which
-- looks up each row by its index and reads no more messages than a limit needs.
set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
  perform pg_advisory_xact_lock(locks.key) from (
    select distinct hashtextextended(name, 0) as key
    from (
      -- by the key of the person, of whom several accounts may send at the same moment
      select 'send from ' || counter from unnest(counters) as s (counter)
      union all
      select 'send to ' || plate_key from unnest(plate_keys) as p (plate_key)
    ) names (name)
    order by key offset 0
  ) locks;
  return query
    select i.ord, account.created_at > now() - interval '24 hours', sent.hour, sent.day, missed.hour, missed.day,
      found.known, found.live, found.all_own, found.vehicle_id, found.owner_id, found.plate, found.live_in,
      pair.day, pair.month, vehicle.hour, earlier.id, earlier.request_hash, earlier.inserted_at, earlier.plate
    from unnest(senders, counters, plate_keys, provinces, idempotency_keys) with ordinality
      as i (sender_id, counter, plate_key, province, key, ord)
    left join lateral (select u.created_at from auth.users u where u.id = i.sender_id offset 0) account on true
    cross join lateral (
      select coalesce(sum(c.count) filter (where c.window_start > now() - interval '1 hour' - slice), 0)::bigint as hour,
        coalesce(sum(c.count), 0)::bigint as day
      from rate_counters c
      where c.key = i.counter and c.window_start > now() - interval '1 day' - slice
    ) sent
    cross join lateral (
      select coalesce(sum(c.count) filter (where c.window_start > now() - interval '1 hour' - slice), 0)::bigint as hour,
        coalesce(sum(c.count), 0)::bigint as day
      from rate_counters c
      where c.key = i.counter || ':miss' and c.window_start > now() - interval '1 day' - slice
    ) missed
    cross join lateral (
      select count(*) as known,
        count(*) filter (where is_live(v.status)) as live,
        (array_agg(v.id) filter (where is_live(v.status)))[1] as vehicle_id,
        (array_agg(v.user_id) filter (where is_live(v.status)))[1] as owner_id,
        (array_agg(v.plate) filter (where is_live(v.status)))[1] as plate,
        array_agg(v.province order by v.province) filter (where is_live(v.status)) as live_in,
        bool_and(v.user_id = i.sender_id) as all_own
      from vehicles v
      where v.plate_key = i.plate_key and (i.province is null or v.province = i.province)
    ) found
    -- Every message adds a notification for its owner. Nothing is counted for an owner who has fewer than a limit, so
    -- that the large limits of a load test do not make every send count again.
    left join lateral (
      select n.last_number from notification_counters n where n.user_id = found.owner_id offset 0
    ) owner on true
    cross join lateral (
      select count(*) filter (where newest.inserted_at > now() - interval '1 day') as day, count(*) as month
      from (
        select m.inserted_at from messages m
        where m.sender_id = i.sender_id and m.addressed_to = found.vehicle_id
          and owner.last_number >= least(pair_day_most, pair_month_most)
        order by m.id desc
        limit greatest(pair_day_most, pair_month_most)
      ) newest
      where newest.inserted_at > now() - interval '30 days' and newest.inserted_at > coalesce((
        select max(m.replied_at) from messages m
        where m.sender_id = i.sender_id and m.addressed_to = found.vehicle_id and m.replied_at is not null
      ), '-infinity')
    ) pair
    cross join lateral (
      select count(*) as hour
      from (
        select m.inserted_at from messages m
        where m.vehicle_id = found.vehicle_id and owner.last_number >= vehicle_hour_most
        order by m.id desc
        limit vehicle_hour_most
      ) newest
      where newest.inserted_at > now() - interval '1 hour'
    ) vehicle
    left join lateral (
      select m.id, m.request_hash, m.inserted_at, m.plate
      from messages m
      where m.sender_id = i.sender_id and m.idempotency_key = i.key
      offset 0
    ) earlier on true;
end $$;
