-- Notifications on devices (RFC 8030). A device is a session: what it is told ends with the session, whoever ends it.
create table push_subscriptions (
  session_id uuid primary key references auth.sessions on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  -- where its push service takes messages for this device; whoever knows the address can use it
  endpoint text not null unique check (length(endpoint) <= 1000),
  p256dh text not null,
  auth text not null,
  -- the newest notification this device needs no push for any more (decision 0036)
  pushed_number bigint not null,
  -- since the last push that ended well or for good; above 0 also while a worker holds it
  tries integer not null default 0,
  next_at timestamptz not null default now(),
  lease_token uuid,
  created_at timestamptz not null default now()
);
create index push_subscriptions_user_id on push_subscriptions (user_id);
create index push_subscriptions_retries on push_subscriptions (next_at) where tries > 0;

-- Who wants what other people write to be shown on the screens of their devices.
create table push_choices (
  user_id uuid primary key references auth.users on delete cascade,
  message_text boolean not null default false
);
