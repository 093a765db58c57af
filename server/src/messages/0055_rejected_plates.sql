-- A plate whose only registrations were rejected is not waiting for anything: nobody has it here (requirements §8). Its sender
-- reads that it is not registered, which reveals no rejection either; whoever was rejected still reads that it is their own.
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
      select count(*) filter (where v.counts) as known,
        count(*) filter (where v.reachable) as live,
        (array_agg(v.id) filter (where v.reachable))[1] as vehicle_id,
        (array_agg(v.user_id) filter (where v.reachable))[1] as owner_id,
        (array_agg(v.plate) filter (where v.reachable))[1] as plate,
        array_agg(v.province order by v.province) filter (where v.reachable) as live_in,
        bool_and(v.user_id = i.sender_id) filter (where v.counts) as all_own
      from (
        select v.id, v.user_id, v.plate, v.province, is_reachable(v.status, v.paused, v.user_id) as reachable,
          v.status <> 'rejected' or v.user_id = i.sender_id as counts
        from vehicles v
        where v.plate_key = i.plate_key and (i.province is null or v.province = i.province)
        offset 0
      ) v
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
