-- What a send is counted by besides its account (decision 0076): the pair of person and vehicle, which outlives the
-- sender's account, and the sender's networks.

-- The key of a pair's count. Made of the sender's secret and the vehicle, so that the keys of two vehicles cannot be told
-- to be of one person by anybody who has only the database.
create function pair_counter_key(secret bytea, vehicle_id uuid) returns text language sql immutable strict parallel safe as $$
  select 'pair:' || encode(sha256(secret || uuid_send(vehicle_id)), 'base64')
$$;

-- Reads the counts of one send. It is volatile for the same reason as send_facts: what it reads is newer than the wait for
-- the locks that send_facts takes. Counts of networks are in the order of their keys.
create function person_facts(
  sender uuid, pair_key text, miss_keys text[], first_day_keys text[],
  -- the precision of counted times of a pair, and of a network
  slice interval, network_slice interval
) returns table (
  first_day boolean, pair_day bigint, pair_month bigint, network_missed bigint[], network_first_day bigint[]
) language plpgsql volatile rows 1
-- A plan is made once per connection, perhaps while the table is empty; it has to be the one for a full table.
set enable_seqscan = off
as $$
begin
  return query select
    coalesce((
      select coalesce(u.email_confirmed_at, u.created_at) > now() - interval '24 hours'
      from auth.users u where u.id = sender), false),
    coalesce(sum(c.count) filter (where c.window_start > now() - interval '1 day' - slice), 0)::bigint,
    coalesce(sum(c.count), 0)::bigint,
    array(
      select coalesce((
        select sum(n.count) from rate_counters n
        where n.key = k.key and n.window_start > now() - interval '1 day' - network_slice), 0)::bigint
      from unnest(miss_keys) with ordinality k (key, ord) order by k.ord),
    array(
      select coalesce((
        select sum(n.count) from rate_counters n
        where n.key = k.key and n.window_start > now() - interval '1 day' - network_slice), 0)::bigint
      from unnest(first_day_keys) with ordinality k (key, ord) order by k.ord)
  from rate_counters c
  where c.key = pair_key and c.window_start > now() - interval '30 days' - slice;
end $$;
