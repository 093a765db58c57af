-- What decides about a send, simpler:
-- - A plate whose only registrations were rejected is registered and not active (requirements §4, §5 and §8): its senders read
--   that, as for any other plate none of whose registrations is live.
-- - What others send to a vehicle decides about nobody's message, so that it is neither counted nor waited for.
drop function facts_for_sends(uuid[], text[], text[], text[], text[], bytea[], bytea[], text[], text[], interval, interval, integer,
  integer, integer);

-- Waits for other sends of the same people, and reads what decides a batch of sends, a row for each.
create function facts_for_sends(
  senders uuid[], counters text[], plate_keys text[], provinces text[], idempotency_keys text[],
  pair_secrets bytea[], block_secrets bytea[],
  -- the keys of the counts of all networks of the batch; the counts come back in their order
  miss_keys text[], first_day_keys text[],
  -- the precision of counted times, and the numbers of messages from which a pair is counted
  slice interval, network_slice interval, pair_day_most integer, pair_month_most integer
) returns table (
  ord bigint, first_day boolean, is_limited boolean,
  sent_hour bigint, sent_day bigint, missed_hour bigint, missed_day bigint, network_missed bigint[], network_first_day bigint[],
  known bigint, live bigint, all_own boolean, vehicle_id uuid, owner_id uuid, plate text, live_in text[],
  is_shared boolean, is_driver boolean, holder_id uuid, told_id uuid,
  pair_key text, pair_day bigint, pair_month bigint,
  earlier_id uuid, earlier_hash bytea, earlier_at timestamptz, earlier_plate text
) language plpgsql volatile rows 16
-- A plan is made once per connection, perhaps while the tables are empty. It has to be the plan for full tables, which
-- looks up each row by its index and reads no more messages than a limit needs.
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  missed_by_network bigint[];
  first_day_by_network bigint[];
begin
  perform pg_advisory_xact_lock(locks.key) from (
    -- by the key of the person, of whom several accounts may send at the same moment
    select distinct hashtextextended('send from ' || counter, 0) as key from unnest(counters) as s (counter)
    order by key offset 0
  ) locks;
  -- statements of their own after the locks, so that they read what those waited for
  select array_agg(sum order by ord) filter (where kind = 'miss'), array_agg(sum order by ord) filter (where kind = 'first day')
  into missed_by_network, first_day_by_network
  from (
    select 'miss' as kind, key, ord from unnest(miss_keys) with ordinality m (key, ord)
    union all
    select 'first day', key, ord from unnest(first_day_keys) with ordinality d (key, ord)
  ) networks
  cross join lateral (
    select coalesce(sum(c.count), 0)::bigint as sum from rate_counters c
    where c.key = networks.key and c.window_start > now() - interval '1 day' - network_slice
  ) counted;
  return query
    select i.ord, coalesce(account.first_day, false), limited.yes is not null,
      sent.hour, sent.day, missed.hour, missed.day, missed_by_network, first_day_by_network,
      found.known, found.live, found.all_own, found.vehicle_id, found.owner_id, found.plate, found.live_in,
      people.n > 0, people.sends, first.holder_id, coalesce(first.told_id, found.owner_id),
      pair.key, greatest(pair.day, messages_of_pair.day), greatest(pair.month, messages_of_pair.month),
      earlier.id, earlier.request_hash, earlier.inserted_at, earlier.plate
    from unnest(senders, counters, plate_keys, provinces, idempotency_keys, pair_secrets, block_secrets) with ordinality
      as i (sender_id, counter, plate_key, province, key, pair_secret, block_secret, ord)
    left join lateral (
      select coalesce(u.email_confirmed_at, u.created_at) > now() - interval '24 hours' as first_day, u.person_hash
      from auth.users u where u.id = i.sender_id offset 0
    ) account on true
    left join lateral (
      select true as yes from live_sanctions s where s.person_hash = account.person_hash and s.kind = 'limit' limit 1
    ) limited on true
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
        count(*) filter (where v.reachable) as live,
        (array_agg(v.id) filter (where v.reachable))[1] as vehicle_id,
        (array_agg(v.user_id) filter (where v.reachable))[1] as owner_id,
        (array_agg(v.plate) filter (where v.reachable))[1] as plate,
        array_agg(v.province order by v.province) filter (where v.reachable) as live_in,
        bool_and(v.user_id = i.sender_id) as all_own
      from (
        select v.id, v.user_id, v.plate, v.province, is_reachable(v.status, v.paused) and suspended.yes is null as reachable
        from vehicles v
        join auth.users owner on owner.id = v.user_id
        left join lateral (
          select true as yes from live_sanctions s where s.person_hash = owner.person_hash and s.kind = 'suspend' limit 1
        ) suspended on true
        where v.plate_key = i.plate_key and (i.province is null or v.province = i.province)
        offset 0
      ) v
    ) found
    cross join lateral (
      select count(*) as n, coalesce(bool_or(p.user_id = i.sender_id), false) as sends
      from vehicle_drivers p where p.vehicle_id = found.vehicle_id
    ) people
    -- nearly every vehicle has one person, of whom there is nothing to find out
    left join lateral (
      select t.holder_id, t.told_id from first_told(found.vehicle_id, found.owner_id, i.sender_id, i.block_secret) t
      where people.n > 0 offset 0
    ) first on true
    cross join lateral (
      select pair_counter_key(i.pair_secret, found.vehicle_id) as key offset 0
    ) pair_of
    cross join lateral (
      select pair_of.key, coalesce(sum(c.count) filter (where c.window_start > now() - interval '1 day' - slice), 0)::bigint as day,
        coalesce(sum(c.count), 0)::bigint as month
      from rate_counters c
      where c.key = pair_of.key and c.window_start > now() - interval '30 days' - slice
    ) pair
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
    ) messages_of_pair
    left join lateral (
      select m.id, m.request_hash, m.inserted_at, m.plate
      from messages m
      where m.sender_id = i.sender_id and m.idempotency_key = i.key
      offset 0
    ) earlier on true;
end $$;
