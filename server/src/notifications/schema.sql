-- Notifications (requirements §3). Those of a user are numbered: a live stream resumes after a number and cannot
-- miss any, because the row lock on the counter makes numbers follow the order of commits.
create table notification_counters (
  user_id uuid primary key references auth.users on delete cascade,
  last_number bigint not null
) with (fillfactor = 70);

create table notifications (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  number bigint not null,
  type text not null,
  data jsonb not null default '{}',
  message_id uuid references messages on delete cascade,
  is_read boolean not null default false,
  created_at timestamptz not null default now(),
  unique (user_id, number),
  -- nobody is notified twice of one message; also finds the notifications to delete with a message
  unique (message_id, user_id, type)
);
create index notifications_unread on notifications (user_id) where not is_read;
