-- Push notifications (RFC 8030). A subscription belongs to a session and ends with it.
create table push_subscriptions (
  session_id uuid primary key references auth.sessions on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  -- where the push service accepts messages for this device; whoever knows the address can use it
  endpoint text not null unique check (length(endpoint) <= 1000),
  p256dh text not null,
  auth text not null,
  -- the newest notification that needs no push any more (decision device-notifications)
  pushed_number bigint not null,
  -- A device in quiet hours: the notifications after this number were not pushed, except the urgent ones, and are due when
  -- the hours end. Both are null when nothing is held.
  held_after bigint,
  held_until timestamptz,
  -- since the last push that was sent or failed for good; above 0 also while a worker leases it
  tries integer not null default 0,
  next_at timestamptz not null default now(),
  lease_token uuid,
  created_at timestamptz not null default now()
);
create index push_subscriptions_user_id on push_subscriptions (user_id);
create index push_subscriptions_retries on push_subscriptions (next_at) where tries > 0;
