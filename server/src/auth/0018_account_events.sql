-- What happened to an account (decision 0093), for its person and for admins: kept for 90 days. No address is stored.
create table auth.events (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  type text not null check (type in (
    'sign_in', 'sign_in_failed', 'sign_in_refused', 'link_used',
    'factor_added', 'factor_used', 'factor_failed', 'factor_removed',
    'session_ended', 'suspended', 'suspension_lifted')),
  -- the session it happened in, which may be over
  session_id uuid,
  -- keyed hash of the network, as coarse as a provider's: an IPv4 /24 or an IPv6 /48
  network_hash bytea,
  -- the browser and the system, such as 'Firefox · Windows'
  device text,
  at timestamptz not null default clock_timestamp()
);
create index events_user_id on auth.events (user_id, at desc, id desc);
create index events_at on auth.events (at);

-- A session ends in many ways: signed out here or elsewhere, a new password, too long without use, suspension, an operator by
-- hand. One that came from a link and was never used never began. Nothing is recorded for an account that is deleted.
create function auth.record_session_end() returns trigger language plpgsql as $$
begin
  insert into auth.events (user_id, type, session_id)
  select id, 'session_ended', old.id from auth.users where id = old.user_id;
  return null;
end $$;
create trigger sessions_end_recorded after delete on auth.sessions
  for each row when (old.link_request_id is null) execute function auth.record_session_end();
